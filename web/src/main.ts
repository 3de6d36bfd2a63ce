import { mount } from "svelte";
import App from "./App.svelte";
import { install } from "./graphics/sprite";
import "./app.css";
import { placeLinks } from "./core/router.svelte";
import { connectEngine, run } from "./offline/page";
import "./animation/animation.css";

install();
placeLinks();
if (import.meta.env.MODE === "static") connectEngine();
mount(App, { target: document.getElementById("app")! });
if (import.meta.env.MODE === "static") run();
