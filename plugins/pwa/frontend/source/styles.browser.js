/** System colors, light and dark mode, and no animations if the visitor prefers reduced motion. */
export const STYLES = `
:host { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif }
:host(.pwa-launcher) { font: inherit }
.notice, dialog, .launcher:not(.page-end) button {
  box-sizing: border-box; color: CanvasText; background: Canvas; border: 1px solid color-mix(in srgb, CanvasText 25%, Canvas);
  border-radius: .75rem; box-shadow: 0 .25rem 1.5rem rgb(0 0 0 / .25)
}
.notice {
  display: flex; flex-wrap: wrap; gap: .5rem; align-items: center; padding: .75rem 1rem; z-index: 2147483000;
  width: max-content; max-width: min(40rem, calc(100vw - 2rem)); margin-inline: auto
}
.notice p { flex: 1 1 6rem; margin: 0 }
.notice .close { margin-inline-start: auto }
.top, .bottom { position: fixed; inset-inline: 1rem }
.top { top: calc(1rem + env(safe-area-inset-top)) }
.bottom { bottom: calc(1rem + env(safe-area-inset-bottom)) }
.stack { display: flex; flex-direction: column; gap: .5rem; z-index: 2147483000; pointer-events: none }
.stack > .notice { position: static; pointer-events: auto }
.inline { position: static; width: auto; max-width: none; margin-block: 1rem; box-shadow: none }
dialog { max-width: 26rem; padding: 1.5rem }
dialog h2 { margin: 0 0 .5rem; font-size: 1.25rem }
.buttons { display: flex; flex-wrap: wrap; gap: .5rem; margin: 1rem 0 0 }
button { font: inherit; min-block-size: 2.75rem; min-inline-size: 2.75rem; padding: .25rem 1rem; border-radius: .5rem;
  border: 1px solid currentcolor; background: transparent; color: inherit; cursor: pointer }
button:focus-visible { outline: 3px solid Highlight; outline-offset: 2px }
.primary { background: CanvasText; color: Canvas }
.close { border: 0; padding: 0 }
.menu { border: 0; padding-inline: 0 }
.launcher { display: flex; flex-wrap: wrap; justify-content: center; gap: .5rem; padding: 0 1rem 1.5rem }
.launcher button { display: flex; gap: .5rem; align-items: center }
.launcher svg { inline-size: 1.5rem; fill: none; stroke: currentcolor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round }
.launcher .on svg { fill: currentcolor }
.launcher:not(.page-end) { position: fixed; z-index: 2147482000; flex-direction: column; padding: 0 }
.launcher:not(.page-end) button { border-radius: 50%; padding: .7rem }
.launcher:not(.page-end) span { position: absolute; clip-path: inset(50%) }
.bottom-left { bottom: 1rem; left: 1rem } .bottom-right { bottom: 1rem; right: 1rem }
.top-left { top: 1rem; left: 1rem } .top-right { top: 1rem; right: 1rem }
.progress { position: fixed; inset: 0 0 auto; block-size: 3px; background: Highlight; transform: scaleX(0);
  transform-origin: left; z-index: 2147482000 }
.progress:dir(rtl) { transform-origin: right }
@media (prefers-reduced-motion: no-preference) {
  .notice, dialog { animation: appear .2s ease-out }
  @keyframes appear { from { opacity: 0; translate: 0 .5rem } }
}
@media print { :host { display: none } }
`
