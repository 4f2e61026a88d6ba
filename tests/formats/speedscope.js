// Runs in the page of speedscope, in place of the script that its own command writes (bin/cli.mjs of the package): loads
// the file NAME with the bytes BASE64, exports what speedscope has read as its button does, and leaves in #profiles for
// each profile its name, unit, total weight and what of it each frame has itself.
const found = { profiles: [], errors: [] };
addEventListener("error", (event) => found.errors.push(event.message));
addEventListener("unhandledrejection", (event) => found.errors.push(String(event.reason)));
alert = (text) => found.errors.push(text);
addEventListener("click", (event) => event.target.download && event.preventDefault(), true);

function read(profile, frames) {
    const own = {}, open = [];
    let last = profile.startValue;
    for (const { type, frame, at } of profile.events) {
        const name = open.length ? frames[open.at(-1)].name : "";
        if (at !== last) own[name] = (own[name] ?? 0) + at - last;
        last = at;
        type === "O" ? open.push(frame) : open.pop();
    }
    return { name: profile.name, unit: profile.unit, total: profile.endValue - profile.startValue, own };
}

function show() {
    const element = document.createElement("pre");
    element.id = "profiles";
    element.textContent = JSON.stringify(found);
    document.body.replaceChildren(element);
}

URL.createObjectURL = (blob) => {
    blob.text().then((text) => {
        const { profiles, shared } = JSON.parse(text);
        found.profiles = profiles.map((profile) => read(profile, shared.frames));
        show();
    });
    return "#";
};

speedscope.loadFileFromBase64(NAME, BASE64);
// The button is there when the file has been read.
let tries = 0;
const timer = setInterval(() => {
    const button = [...document.querySelectorAll("div")].filter((element) => element.textContent.endsWith("Export")).pop();
    if (!button && ++tries < 200 && !found.errors.length) return;
    clearInterval(timer);
    button ? button.click() : show();
}, 100);
