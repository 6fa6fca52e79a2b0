/**
 * Encrypts what an earlier version stored in plain text and is killed on the way:
 * `node encrypting-child.ts <site folder> keys <values encrypted>` or `… vapid opened|renaming|renamed`.
 */
import fs from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createDatabase } from '../../../core/database/index.ts'
import { createLog } from '../../../core/log.ts'
import { createVault, loadSiteKey } from '../../../core/options/index.ts'
import type { Vault } from '../../../core/options/types.ts'

const [siteDir = '', what, moment = ''] = process.argv.slice(2)
const die = () => process.kill(process.pid, 'SIGKILL')
const vault = createVault(loadSiteKey(siteDir))

if (what === 'vapid') {
  const { open, rename } = fs
  fs.open = async (path, flags, mode) => {
    const handle = await open(path, flags, mode)
    if (moment === 'opened' && flags === 'wx') die()
    return handle
  }
  fs.rename = async (from, to) => {
    if (moment === 'renaming') die()
    await rename(from, to)
    if (moment === 'renamed') die()
  }
  syncBuiltinESMExports()
  const { openVapid } = await import('../../../plugins/pwa/push/vapid.ts')
  await openVapid({ site: { dir: siteDir }, vault, log: createLog('silent') }, () => 'mailto:owner@example.org')
} else {
  let left = Number(moment)
  const counting: Vault = {
    ...vault,
    seal(value, place) {
      left -= 1
      if (left === 0) die()
      return vault.seal(value, place)
    },
  }
  const { openPushTables } = await import('../../../plugins/pwa/push/tables.ts')
  await openPushTables(await createDatabase({ siteDir }), counting)
}
