import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createSite } from '../../app/create-site.ts'
import { createTestHost } from '../../app/testing/index.ts'
import { explainStart } from '../../cli/explain-start.ts'
import { requireResources } from '../../cli/require-resources.ts'
import { loadSiteKey } from '../../core/options/index.ts'
import { freePort } from '../support/free-port.ts'
import { canMount, mountReadOnly, mountSmallDisk } from '../support/mounts.ts'
import { pentad } from '../support/pentad.ts'
import { createPostgresDatabase, postgresBinaries } from '../support/postgres.ts'
import { temporaryFolder } from '../support/site-folder.ts'

describe('A site that cannot start says what to do', () => {
  /** The message with which `pentad start` fails. */
  async function failure(config: { siteDir: string; databaseUrl?: string }): Promise<string> {
    try {
      const site = await createSite({ port: 0, logLevel: 'silent', ...config })
      await site.close()
    } catch (error) {
      return String(explainStart(error, { databaseUrl: undefined, ...config }))
    }
    throw new Error('The site was opened.')
  }

  async function stoppedSite(): Promise<string> {
    const siteDir = temporaryFolder()
    const site = await createTestHost({ config: { siteDir } })
    await site.close()
    return siteDir
  }

  it('if its folder is read-only', async function () {
    if (!canMount) this.skip()
    const siteDir = await stoppedSite()
    const unmount = mountReadOnly(siteDir)
    try {
      const message = await failure({ siteDir })
      expect(message)
        .to.contain(`The site folder ${siteDir}, or a file in it, is not writable. Make it writable`)
        .and.contain('unable to open database file')
    } finally {
      unmount()
    }
  })

  it('if its disk is full', async function () {
    if (!canMount) this.skip()
    const siteDir = temporaryFolder()
    const unmount = mountSmallDisk(siteDir, 1)
    try {
      expect(() => writeFileSync(join(siteDir, 'filler'), Buffer.alloc(2 * 1024 * 1024))).to.throw(/ENOSPC/)
      expect(await failure({ siteDir })).to.contain(
        `The disk that contains the site folder ${siteDir} is full. Free up disk space`,
      )
    } finally {
      unmount()
    }
  })

  it('if its database is damaged', async () => {
    const siteDir = await stoppedSite()
    writeFileSync(join(siteDir, 'site.db'), randomBytes(8192))
    expect(await failure({ siteDir }))
      .to.contain(`The database in ${siteDir} is damaged. Restore the site from a backup`)
      .and.contain('file is not a database')
  })

  it('if its database cannot be opened', async () => {
    const siteDir = temporaryFolder()
    loadSiteKey(siteDir)
    mkdirSync(join(siteDir, 'site.db'))
    expect(await failure({ siteDir }))
      .to.contain('or a file in it, is not writable.')
      .and.contain('unable to open database file')
  })

  it('if its secret.key is missing, and creates none', async () => {
    const siteDir = await stoppedSite()
    rmSync(join(siteDir, 'secret.key'))
    const message = await failure({ siteDir })
    expect(message).to.contain('secret.key is missing, but').and.contain('Copy the file from your backup.')
    expect(existsSync(join(siteDir, 'secret.key'))).to.equal(false)
    // As the message says, if the file is lost.
    const [, command = ''] = /enter the secrets again: (node .+)$/.exec(message) ?? []
    execFileSync('sh', ['-c', command])
    const site = await createTestHost({ config: { siteDir } })
    await site.close()
  })

  it('not if its key is configured instead', async () => {
    const siteDir = await stoppedSite()
    const secretKey = readFileSync(join(siteDir, 'secret.key'), 'utf8').trim()
    rmSync(join(siteDir, 'secret.key'))
    const site = await createTestHost({ config: { siteDir, secretKey } })
    await site.close()
    expect(existsSync(join(siteDir, 'secret.key'))).to.equal(false)
  })

  it('if its secret.key is missing, but its database server has its data: a warning', async function () {
    if (!postgresBinaries && process.env.CI !== 'true') this.skip()
    const databaseUrl = await createPostgresDatabase()
    const warnings: string[] = []
    for (const siteDir of [temporaryFolder(), temporaryFolder()]) {
      const logTo = { write: (line: string) => void warnings.push(line) }
      const site = await createSite({ siteDir, databaseUrl, port: 0 }, { logTo, runServices: false })
      await site.close()
    }
    const about = warnings.filter((line) => line.includes('secret.key was missing'))
    expect(about).to.have.length(1)
    expect(about[0]).to.contain('two-factor secrets')
  })

  for (const [what, limits, needed] of [
    ['too little memory', { heapMegabytes: 48 }, /at least 96 MB of heap, but Node\.js is limited to 48 MB/],
    ['too few open files', { openFiles: 64 }, /at least 128 open files, but the limit is 64/],
  ] as const) {
    it(`if it may use ${what}, as commands that open the site do`, async () => {
      const siteDir = await stoppedSite()
      for (const args of [['start'], ['user', 'list']]) {
        const { code, errors } = await pentad(siteDir, args, '', limits)
        expect([args, code]).to.deep.equal([args, 1])
        expect(errors).to.match(needed)
      }
    })
  }

  it('if its container may use too little memory', () => {
    const limits = { heap: 129, memory: 192, descriptors: 1024 }
    expect(() => requireResources(limits)).to.throw(/at least 256 MB of memory, but the limit .* is 192 MB/)
    expect(() => requireResources({ ...limits, memory: 256 })).to.not.throw()
    expect(() => requireResources({ ...limits, memory: undefined })).to.not.throw()
  })

  it('if the record of a restore is damaged', async () => {
    const siteDir = await stoppedSite()
    writeFileSync(join(siteDir, 'replacement.json'), '{ "id": ')
    expect(await failure({ siteDir })).to.match(
      /replacement\.json, which records the last restore, can't be read\. If no/,
    )
  })

  it('if its database server is unreachable, without the password', async () => {
    const databaseUrl = `postgres://ann:secret@127.0.0.1:${await freePort()}/site`
    const message = await failure({ siteDir: temporaryFolder(), databaseUrl })
    expect(message).to.contain('The database server cannot be reached. Start it').and.contain('ECONNREFUSED')
    expect(message).not.to.contain('secret')
  })
})
