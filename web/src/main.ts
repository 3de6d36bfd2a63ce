import { mount } from "svelte";
import App from "./App.svelte";
import { install } from "./graphics/sprite";
import "./app.css";
import { placeLinks } from "./core/router.svelte";
import { run } from "./offline/page";
import "./animation/animation.css";

install();
placeLinks();

mount(App, { target: document.getElementById("app")! });
if (import.meta.env.MODE === "static") run();
