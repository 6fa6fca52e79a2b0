/** Replaces a preview with its embed when the button is pressed. */
for (const preview of document.querySelectorAll('.wp-embed-preview')) {
  const button = preview.querySelector('button')
  const template = preview.querySelector('template')
  if (!button || !template) continue
  button.hidden = false
  button.addEventListener('click', () => {
    const embed = document.createElement('span')
    embed.className = 'wp-embed-loaded'
    embed.tabIndex = -1
    embed.innerHTML = template.dataset.html
    // Scripts in `innerHTML` do not run.
    for (const inert of embed.querySelectorAll('script')) {
      const script = document.createElement('script')
      for (const { name, value } of inert.attributes) script.setAttribute(name, value)
      script.textContent = inert.textContent
      inert.replaceWith(script)
    }
    preview.replaceWith(embed)
    const frame = embed.querySelector('iframe')
    ;(frame ?? embed).focus()
  })
}
