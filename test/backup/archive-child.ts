/** Makes an archive in a process that a test kills: `node archive-child.ts <work folder> <path> <gzip|zstd>`. */
import { createArchiveWriter } from '../../plugins/backup/archive/writer.ts'
import { complete } from './archive-files.ts'

const [folder = '', path = '', compression] = process.argv.slice(2)
const writer = createArchiveWriter({ folder, compression: compression === 'zstd' ? 'zstd' : 'gzip' })
process.send?.('started')
await complete(writer, path, 100)
await writer.close()
process.disconnect?.()
