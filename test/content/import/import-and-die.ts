/** A process that imports and kills itself after so many writes were stored. */
import { openSite } from './open-site.ts'

const { file, siteDir, url, saves } = JSON.parse(process.argv[2] ?? '{}')
const site = await openSite(url, { siteDir })
let left: number = saves
const count = () => {
  if (--left === 0) process.kill(process.pid, 'SIGKILL')
}
site.hooks.addAction('save_post', count)
site.hooks.addAction('add_attachment', count)
site.hooks.addAction('wp_insert_comment', count)
site.hooks.addAction('created_term', count)
site.hooks.addAction('edited_term', count)
await site.import(file)
