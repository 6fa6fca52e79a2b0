// Copies the link of the post. Browsers allow it over HTTPS and on the same device.
// No module: browsers block those in previews, whose frames have no origin.
{
  const item = document.querySelector('.share-copy')
  if (item && navigator.clipboard) {
    item.hidden = false
    item.firstElementChild.addEventListener('click', async ({ currentTarget: { dataset } }) => {
      await navigator.clipboard.writeText(dataset.url)
      document.querySelector('.share-status').textContent = dataset.copied
    })
  }
}
