/** Finishes a replacement and is killed after so many renames: `node replacement-child.ts <site folder> <renames>`. */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [siteDir = '', renames = ''] = process.argv.slice(2)
const { renameSync } = fs
let left = Number(renames)
fs.renameSync = (from, to) => {
  renameSync(from, to)
  left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
}
syncBuiltinESMExports()
const { finishReplacement } = await import('../../app/replacement/replacement.ts')
await finishReplacement({ siteDir })
