/** Detects unsaved input on the page. */
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

/** Without a preselected option, a drop-down list selects its first one. */
function isChosen({ options, multiple, selectedIndex }) {
  const preset = [...options].filter(({ defaultSelected }) => defaultSelected)
  if (!multiple && preset.length === 0) return selectedIndex > 0
  return [...options].some(({ selected, defaultSelected }) => selected !== defaultSelected)
}
