/** A process that imports and downloads from this machine, until it is killed. */
import { openSite } from './open-site.ts'

const { file, siteDir, url } = JSON.parse(process.argv[2] ?? '{}')
const site = await openSite(url, { siteDir })
await site.import(file, undefined, undefined, { isTrusted: () => true })
