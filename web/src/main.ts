import { mount } from "svelte";

import App from "./App.svelte";
import { showTheme } from "./lib/theme";
import "./style/tokens.css";
import "./style/elements.css";
import "./style/pages.css";

showTheme();
const target = document.getElementById("app");
if (target) mount(App, { target });
