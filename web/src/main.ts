import { mount } from "svelte";
import App from "./App.svelte";
import { install } from "./art/sprite";
import "./app.css";
import { placeLinks } from "./lib/router.svelte";
import { run } from "./local/page";
import "./motion/motion.css";

install();
placeLinks();

mount(App, { target: document.getElementById("app")! });
if (import.meta.env.MODE === "static") run();
