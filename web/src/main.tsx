import { render } from "preact";
import { App } from "./app.tsx";

const root = document.getElementById("page");
if (root === null) throw new Error("index.html has no #page");
render(<App />, root);
