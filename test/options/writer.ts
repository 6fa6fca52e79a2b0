/**
 * A process that writes settings until it is done or killed, and prints the number of each write once it is
 * acknowledged. `node writer.ts <site folder> <prefix> <writes> <at once> [<URL of PostgreSQL>]`
 */
import { writeSync } from 'node:fs'
import { z } from 'zod'
import { openRecordRows } from '../../app/options/record-rows.ts'
import { createDatabase } from '../../core/database/index.ts'
import { createHooks } from '../../core/hooks/index.ts'
import { createLog } from '../../core/log.ts'
import { openParts } from './parts.ts'

const [siteDir = '', prefix = 'key', writes = '1000', atOnce = '1', databaseUrl] = process.argv.slice(2)
const database = databaseUrl === undefined ? undefined : await createDatabase({ siteDir, databaseUrl })
const rows = database && (() => openRecordRows(database, siteDir, createLog('silent')))
const parts = await openParts(siteDir, createHooks(), rows)
const { settings } = parts.settings.register('writer', z.object({ total: z.int().default(0) }))

let next = 0
async function writeInTurn(): Promise<void> {
  while (next < Number(writes)) {
    const index = next++
    await settings.update({ [`${prefix}${index}`]: index })
    // Not console.log: what is printed must have left this process before it can be killed.
    writeSync(1, `${index}\n`)
  }
}

await Promise.all(Array.from({ length: Number(atOnce) }, writeInTurn))
await parts.close()
await database?.close()
