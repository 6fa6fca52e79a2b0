// Authors can use this id on any element except scripts.
const block = document.querySelector('script[type="application/json"]#pwa-settings')

export const settings = block ? JSON.parse(block.textContent) : {}

/** Texts for visitors. */
export const texts = settings.texts ?? {}
