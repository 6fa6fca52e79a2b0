/** Styles: system fonts, light and dark mode, both text directions. */
export const STYLES = `
:host { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
:host, .panel { color: CanvasText }
* { box-sizing: border-box }
[hidden] { display: none !important }
.open, .panel { position: fixed; z-index: 2147482000; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas);
  background: Canvas; box-shadow: 0 .25rem 1.5rem rgb(0 0 0 / .25) }
.open { bottom: calc(1rem + env(safe-area-inset-bottom)); border-radius: 2rem }
.panel { bottom: calc(1rem + env(safe-area-inset-bottom)); display: flex; flex-direction: column; border-radius: .75rem;
  inline-size: min(24rem, calc(100vw - 2rem)); max-block-size: min(40rem, calc(100dvh - 2rem)) }
/* Above other corner elements, such as the buttons of the PWA service, which come later in the page. */
.panel { z-index: 2147482001 }
.bottom-right { right: 1rem } .bottom-left { left: 1rem }
header { display: flex; align-items: center; padding: .5rem .5rem 0 1rem }
header:dir(rtl) { padding: .5rem 1rem 0 .5rem }
h2 { flex: 1; margin: 0; font-size: 1.125rem }
.view { display: flex; flex-direction: column; gap: .75rem; min-block-size: 0; padding: .5rem 1rem 1rem; overflow: auto }
p { margin: 0; overflow-wrap: anywhere; white-space: pre-line }
form { display: flex; flex-direction: column; gap: .75rem }
label { display: block }
.required::after { content: ' *' }
input, textarea { display: block; inline-size: 100%; padding: .5rem; font: inherit; color: inherit; background: Canvas;
  border: 1px solid color-mix(in srgb, CanvasText 60%, Canvas); border-radius: .5rem }
textarea { resize: vertical }
[aria-invalid=true] { border-color: light-dark(#b00020, #ff8a80); border-width: 2px }
.error { color: light-dark(#b00020, #ff8a80); font-size: .875rem }
button { min-block-size: 2.75rem; min-inline-size: 2.75rem; padding: .25rem 1rem; font: inherit; color: inherit; cursor: pointer;
  background: Canvas; border: 1px solid currentcolor; border-radius: .5rem }
button[aria-disabled=true] { opacity: .6; cursor: progress }
:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
.primary { background: CanvasText; color: Canvas }
.close { border: 0; padding: 0 }
.log { display: flex; flex-direction: column; gap: .75rem; flex: 1 1 auto; min-block-size: 6rem; overflow: auto }
.said { padding: .5rem .75rem; border-radius: .5rem; background: color-mix(in srgb, CanvasText 8%, Canvas) }
.said.visitor { margin-inline-start: 2rem }
ul { margin: .25rem 0 0; padding-inline-start: 1.25rem }
.trap, .label { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%) }
@media print { :host { display: none } }
`
