/** A process that writes a large export and reads it. */
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { openExport } from '../../../core/content/import/export-files.ts'
import { readElements } from '../../../core/content/import/read-elements.ts'
import { WXR_END, WXR_HEAD, wxrItem } from './wxr-file.ts'

const [folder = '', megabytes = '1'] = process.argv.slice(2)
const file = join(folder, 'large.xml')
const content = 'All work and no play. '.repeat(2979)

function* lines() {
  yield WXR_HEAD
  for (let id = 1; id <= Number(megabytes) * 16; id++) yield wxrItem({ id, content })
  yield WXR_END
}
await finished(Readable.from(lines()).pipe(createWriteStream(file)))

let items = 0
for (const each of await openExport(file))
  for await (const { element } of readElements(each)) if (element.name === 'item') items++
process.stdout.write(String(items))
