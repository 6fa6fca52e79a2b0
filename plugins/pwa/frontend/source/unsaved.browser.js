/** Whether the visitor has written something on this page that would be lost with it. */
let hasWritten = false
addEventListener('input', ({ target }) => {
  if (target?.isContentEditable) hasWritten = true
})

export function hasUnsaved() {
  return hasWritten || [...document.querySelectorAll('input, textarea, select')].some(isChanged)
}

function isChanged(field) {
  if (field.type === 'hidden' || field.disabled) return false
  if (field.type === 'checkbox' || field.type === 'radio') return field.checked !== field.defaultChecked
  if (field.type === 'file') return field.files.length > 0
  if (field.localName === 'select') return isChosen(field)
  return field.value !== field.defaultValue
}

/** A list in which nothing is chosen from the start shows its first option. */
function isChosen({ options, multiple, selectedIndex }) {
  const preset = [...options].filter(({ defaultSelected }) => defaultSelected)
  if (!multiple && preset.length === 0) return selectedIndex > 0
  return [...options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
}
