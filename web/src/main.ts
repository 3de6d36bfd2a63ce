import { mount } from "svelte";
import App from "./App.svelte";
import { install } from "./art/sprite";
import "./app.css";
import "./motion/motion.css";

install();

mount(App, { target: document.getElementById("app")! });
