// Runs in the page of speedscope, in place of the script that its own command writes (bin/cli.mjs of the package): loads
// each of FILES (name, bytes in base 64) in turn, exports what speedscope has read as its button does, and leaves in #files
// for each: its errors, and its profiles: name, unit, total weight and what of it each frame has itself. No two
// neighbours have the same content: what is exported tells whether a file has been read.
const found = [];
let current, last; // last: the text of the last export
addEventListener("error", (event) => current.errors.push(event.message));
addEventListener("unhandledrejection", (event) => current.errors.push(String(event.reason)));
alert = (text) => current.errors.push(text);
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

function next() {
    if (found.length === FILES.length) {
        const element = document.createElement("pre");
        element.id = "files";
        element.textContent = JSON.stringify(found);
        document.body.replaceChildren(element);
        return;
    }
    const [name, base64] = FILES[found.length];
    current = { file: name, profiles: [], errors: [] };
    found.push(current);
    speedscope.loadFileFromBase64(name, base64);
    // The button is there when the file has been read, or still for the one before it.
    let tries = 0;
    const timer = setInterval(() => {
        const button = [...document.querySelectorAll("div")].filter((element) => element.textContent.endsWith("Export")).pop();
        if (current.profiles.length || ++tries >= 100 || current.errors.length) {
            clearInterval(timer);
            next();
        } else if (button) button.click();
    }, 100);
}

URL.createObjectURL = (blob) => {
    blob.text().then((text) => {
        const { profiles, shared } = JSON.parse(text);
        if (text !== last) current.profiles = profiles.map((profile) => read(profile, shared.frames));
        last = text;
    });
    return "#";
};

next();
