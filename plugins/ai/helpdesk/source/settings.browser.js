export let settings = {}
/** Texts for visitors. */
export let texts = {}

/**
 * Reads the data of this script from a JSON block in the page. Authors can use its name for any element, but cannot write scripts.
 * @returns the element; `null` if the page has none
 */
export function readSettings(name) {
  const data = document.querySelector(`script[type="application/json"]${name}`)
  if (data) {
    settings = JSON.parse(data.textContent)
    texts = settings.texts
  }
  return data
}
