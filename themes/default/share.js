// Copies the link of the post. Browsers allow it over HTTPS and on the same device.
const item = document.querySelector('.share-copy')
if (item && navigator.clipboard) {
  item.hidden = false
  item.firstElementChild.addEventListener('click', async ({ currentTarget: { dataset } }) => {
    await navigator.clipboard.writeText(dataset.url)
    document.querySelector('.share-status').textContent = dataset.copied
  })
}
