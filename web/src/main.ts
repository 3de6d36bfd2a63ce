import { mount } from "svelte";
import App from "./App.svelte";
import { install } from "./graphics/sprite";
import "./app.css";
import "./ui/ui.css";
import { addBaseToLinks } from "./core/router.svelte";
import "./sound/touch";
import { connectEngine, startOffline } from "./offline/page";
import { keepForReading } from "./offline/served";
import "./animation/animation.css";

install();
addBaseToLinks();
if (import.meta.env.MODE === "static") connectEngine();
mount(App, { target: document.getElementById("app")! });
if (import.meta.env.MODE === "static") startOffline();
else addEventListener("load", () => void keepForReading().catch(() => {})); // no storage is left, or the server is away
