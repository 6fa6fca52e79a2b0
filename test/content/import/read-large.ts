/** A process that writes a large export, and reads it or makes a dry run of importing it. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { openExport } from '../../../cms/content/import/export-files.ts'
import { readElements } from '../../../cms/content/import/read-elements.ts'
import { openSite } from './open-site.ts'
import { WXR_END, WXR_HEAD, wxrItem } from './wxr-file.ts'

const [folder = '', megabytes = '1', how = 'read'] = process.argv.slice(2)
const file = join(folder, 'large.xml')
const text = 'All work and no play. '.repeat(2976)

function* lines() {
  yield WXR_HEAD
  for (let id = 1; id <= Number(megabytes) * 16; id++) {
    const content = `${text}<img src="http://old.example/wp-content/uploads/2026/01/picture-${id}.png">`
    yield wxrItem({ id, content, more: `<link>http://old.example/2026/01/item-${id}/</link>` })
  }
  yield WXR_END
}
await finished(Readable.from(lines()).pipe(createWriteStream(file)))

async function read(): Promise<number> {
  let items = 0
  for (const each of await openExport(file))
    for await (const { element } of readElements(each)) if (element.name === 'item') items++
  return items
}

async function tryImport(): Promise<number> {
  const site = await openSite(undefined, { siteDir: folder })
  const { posts } = await site.import(file, undefined, undefined, undefined, true)
  return posts.post?.added ?? 0
}
process.stdout.write(String(await (how === 'read' ? read() : tryImport())))
process.exit()
