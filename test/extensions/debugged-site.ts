/** A site of a process of its own, for a debugger: it activates the extension `tool` and applies its filter when told to. */
import { createExtensionSite } from './extension-site.ts'

const site = await createExtensionSite({ siteDir: process.argv[2] ?? '' })
await site.extensions.load()
await site.extensions.activate('tool')
process.on('message', (message) => {
  if (message === 'apply') process.send?.({ text: site.text('x') })
  else void site.close().then(() => process.disconnect())
})
process.send?.('ready')
