// Copies the link of the post. Browsers allow it over HTTPS and on the same device.
// No module: browsers block those in previews, whose frames have no origin.
{
  const item = document.querySelector('.share-copy')
  const status = document.querySelector('.share-status')
  if (item && navigator.clipboard) {
    item.hidden = false
    item.firstElementChild.addEventListener('click', async ({ currentTarget: { dataset } }) => {
      const isCopied = await navigator.clipboard.writeText(dataset.url).then(
        () => true,
        () => false,
      )
      status.textContent = isCopied ? dataset.copied : dataset.failed
    })
    document.querySelector('.share').addEventListener('beforetoggle', () => {
      status.textContent = ''
    })
  }
}
