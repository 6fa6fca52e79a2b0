/** What earlier versions stored in plain text is encrypted at the start, whenever a process is killed meanwhile. */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'chai'
import webPush from 'web-push'
import { createDatabase } from '../../../core/database/index.ts'
import { createLog } from '../../../core/log.ts'
import { createVault, loadSiteKey } from '../../../core/options/index.ts'
import { openKeys } from '../../../plugins/pwa/push/encrypted-keys.ts'
import { openPushTables } from '../../../plugins/pwa/push/tables.ts'
import { openVapid } from '../../../plugins/pwa/push/vapid.ts'
import { temporaryFolder } from '../../support/site-folder.ts'

const CHILD = join(import.meta.dirname, 'encrypting-child.ts')
/** More than one statement of the migration changes, twice. */
const SUBSCRIPTIONS = 450

const killed = (siteDir: string, ...what: string[]) =>
  spawnSync(process.execPath, [CHILD, siteDir, ...what], { encoding: 'utf8' })

describe('Encrypting what an earlier version stored, in a process that is killed', () => {
  it('leaves a key pair that is the same one, in plain text or encrypted, and the next start encrypts it', async () => {
    for (const moment of ['opened', 'renaming', 'renamed']) {
      const siteDir = temporaryFolder()
      const vault = createVault(loadSiteKey(siteDir))
      const pair = webPush.generateVAPIDKeys()
      const file = join(siteDir, 'pwa/vapid.json')
      await mkdir(join(siteDir, 'pwa'))
      await writeFile(file, JSON.stringify(pair))
      const { signal, stderr } = killed(siteDir, 'vapid', moment)
      expect(signal, stderr).to.equal('SIGKILL')
      const isEncrypted = (await readFile(file, 'utf8')).includes('$sealed')
      expect(isEncrypted, moment).to.equal(moment === 'renamed')

      const vapid = await openVapid(
        { site: { dir: siteDir }, vault, log: createLog('silent') },
        () => 'mailto:a@b.example',
      )
      expect(await readFile(file, 'utf8'), moment)
        .to.contain('$sealed')
        .and.not.contain(pair.privateKey)
      expect(await vapid.publicKey(), moment).to.equal(pair.publicKey)
      const { Authorization } = await vapid.headers('https://push.example', 'aes128gcm')
      expect(Authorization, moment).to.contain(pair.publicKey)
      expect(await readdir(join(siteDir, 'pwa')), moment).to.include('vapid.json')
    }
  })

  it('leaves subscriptions that can all be read, and the next start encrypts the rest', async () => {
    const siteDir = temporaryFolder()
    const vault = createVault(loadSiteKey(siteDir))
    const database = await createDatabase({ siteDir })
    const rows = Array.from({ length: SUBSCRIPTIONS }, (_, at) => {
      const endpoint = `https://push.example/${at}`
      return {
        ...{ endpoint, endpoint_hash: createHash('sha256').update(endpoint).digest('hex'), auth: `auth ${at}` },
        ...{ origin: 'https://push.example', p256dh: 'key', encoding: 'aes128gcm' as const, user_proven: 0 },
        ...{ country: '', operating_system: '', browser: '', device: '', created_gmt: '2026-01-01 00:00:00' },
      }
    })
    // As the version before made the tables.
    const db = await openPushTables(database, vault)
    await db.insertInto('pwa_subscriptions').values(rows).execute()
    const migrations = database.db.withTables<{ migrations_pwa_push: { name: string } }>()
    await migrations.deleteFrom('migrations_pwa_push').where('name', '=', '003_sealed_keys').execute()

    const stored = () => db.selectFrom('pwa_subscriptions').selectAll().orderBy('id').execute()
    const plain = async () => (await stored()).filter(({ endpoint }) => endpoint.startsWith('https:')).length
    const legible = async () =>
      (await stored()).map((row) => openKeys(vault, row)).map(({ endpoint, auth }) => [endpoint, auth])
    const expected = rows.map(({ endpoint, auth }) => [endpoint, auth])

    const { signal, stderr } = killed(siteDir, 'keys', '500')
    expect(signal, stderr).to.equal('SIGKILL')
    expect(await plain()).to.be.greaterThan(0)
    expect(await legible()).to.deep.equal(expected)
    await openPushTables(database, vault)
    expect(await plain()).to.equal(0)
    expect(await legible()).to.deep.equal(expected)

    const other = createVault(loadSiteKey(temporaryFolder()))
    const [first] = await stored()
    expect(first && openKeys(other, first), 'with the key of another site').to.include({ endpoint: '', auth: '' })
    await database.close()
  })
})
