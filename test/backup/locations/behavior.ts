/** What every location away from this machine must do, against its real server behind a proxy that cuts and holds. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'chai'
import { createHooks } from '../../../core/hooks/index.ts'
import type { GoogleAddresses } from '../../../plugins/backup/locations/google-drive/client.ts'
import { createLocations } from '../../../plugins/backup/locations/index.ts'
import { type LocationSettings, locationSettings } from '../../../plugins/backup/locations/settings.ts'
import type { BackupLocation, UploadedFile } from '../../../plugins/backup/types.ts'
import { temporaryFolder } from '../../support/site-folder.ts'
import { MEBIBYTE, makeArchive, never, part, recordProgress, sumOfDownload } from './archive.ts'
import { openProxy, type TestProxy } from './proxy.ts'

/** How to reach a location by way of a port. */
export interface Reached {
  readonly id: string
  readonly settings: Partial<LocationSettings>
  readonly google?: GoogleAddresses
}

export async function openLocation({ id, settings, google }: Reached): Promise<BackupLocation> {
  return createLocations({
    siteDir: temporaryFolder(),
    settings: () => locationSettings.parse(settings),
    hooks: createHooks(),
    firstDelayMs: 20,
    ...(google && { google }),
  }).open(id)
}

/** The message of what it rejects with. */
export async function reasonOf(work: Promise<unknown>): Promise<string> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error
    expect(error.code).to.equal('backup_location_failed')
    return error.message
  }
  throw new Error('It did not fail.')
}

export interface Behavior {
  /** Port of the server, once it runs. */
  port(): number
  reach(port: number): Reached
  /** Whether an upload goes on where it was, rather than from the start. */
  readonly resumes: boolean
  /** The most that one crash or one broken connection may cost, in bytes. */
  readonly lossBytes: number
}

/** Bytes after which uploads are cut off: more than any location may lose, so that one that begins anew is found out. */
const CUT = 20 * MEBIBYTE

export function behavesAsLocation({ port, reach, resumes, lossBytes }: Behavior): void {
  describe('as every location', () => {
    // Megabytes by the dozen, also where other tests run beside these.
    let proxy: TestProxy
    let location: BackupLocation
    let archive: UploadedFile

    before(async () => {
      proxy = await openProxy(port())
      location = await openLocation(reach(proxy.port))
      archive = await makeArchive(24)
    })
    after(async () => {
      await location.close()
      await proxy.close()
    })
    beforeEach(() => proxy.reset())
    afterEach(async () => {
      proxy.flow()
      for (const { name } of await location.list(never())) await location.remove(name, never())
    })

    /** A fresh name, so that no test finds what another one left. */
    const renamed = (name: string): UploadedFile => ({ ...archive, name })

    it('passes its own test, and leaves nothing of it', async () => {
      await location.test(never())
      expect(await location.list(never())).to.deep.equal([])
    })

    it('takes an archive, lists it, gives it back and removes it', async () => {
      const progress = recordProgress()
      const name = await location.upload(archive, progress)
      expect(await location.list(never())).to.deep.equal([{ name, size: archive.size }])
      expect(await sumOfDownload(location, name)).to.equal(archive.sha256)
      expect(progress.numbers.at(-1)).to.equal(archive.size)
      expect(progress.numbers).to.deep.equal(progress.numbers.toSorted((a, b) => a - b))

      await location.remove(name, never())
      expect(await location.list(never())).to.deep.equal([])
      await location.remove(name, never())
      expect(await reasonOf(location.download(name, undefined, never()))).to.match(/does not exist/i)
    })

    it('gives any range of an archive', async () => {
      const name = await location.upload(renamed('ranges.tar.gz'), recordProgress())
      const ranges = [
        [0, 0],
        [0, 99],
        [3 * MEBIBYTE - 7, 9 * MEBIBYTE + 5],
        [archive.size - 10, archive.size - 1],
      ] as const
      for (const [start, end] of ranges) {
        const got = Buffer.concat(await Array.fromAsync(await location.download(name, { start, end }, never())))
        expect(got.equals(await part(archive.path, start, end)), `${start}-${end}`).to.equal(true)
      }
    })

    it('keeps names with spaces, quotes, signs and letters of any script', async () => {
      const small = await makeArchive(0)
      const names = ["Anna's façade – 日本語 😀 100% #1 & a+b.tar.gz", 'plain.tar.zst']
      for (const name of names) await location.upload({ ...small, name }, recordProgress())
      const listed = (await location.list(never())).map(({ name }) => name)
      expect(listed).to.have.members(names)
      for (const name of names) {
        expect(await sumOfDownload(location, name)).to.equal(small.sha256)
      }
    })

    it('refuses a name that leads out of the folder', async () => {
      for (const name of ['../site.db', 'a/b.tar.gz', '.hidden', 'a\\b', 'a\nb', '']) {
        let error: unknown
        try {
          await location.upload(renamed(name), recordProgress())
        } catch (thrown) {
          error = thrown
        }
        expect(error, name).to.be.instanceOf(TypeError)
      }
    })

    it('goes on after the connection was cut in mid-upload', async () => {
      proxy.cutAfter(CUT)
      const name = await location.upload(renamed('cut.tar.gz'), recordProgress())
      expect(await sumOfDownload(location, name)).to.equal(archive.sha256)
      if (resumes) expect(proxy.bytes).to.be.below(archive.size + lossBytes + MEBIBYTE)
      else expect(proxy.bytes).to.be.above(archive.size + CUT - MEBIBYTE)
    })

    it('gives up on a server that cuts every connection, says so, and lists nothing', async () => {
      proxy.cutAfter(1, 1000)
      const reason = await reasonOf(location.upload(renamed('never.tar.gz'), recordProgress()))
      expect(reason).to.match(/: The connection was lost\.$/)
      proxy.reset()
      expect(await location.list(never())).to.deep.equal([])
    })

    it('reads on where a download was cut', async () => {
      const name = await location.upload(renamed('download.tar.gz'), recordProgress())
      const chunks: Buffer[] = []
      let got = 0
      let isCut = false
      for await (const chunk of await location.download(name, undefined, never())) {
        chunks.push(chunk)
        got += chunk.length
        if (got > 3 * MEBIBYTE && !isCut) {
          isCut = true
          proxy.dropAll()
        }
      }
      expect(Buffer.concat(chunks).equals(readFileSync(archive.path))).to.equal(true)
    })

    it('stops at once when it is told to, keeps what is there, and can be discarded', async () => {
      const reached = proxy.holdAfter(CUT)
      const stop = new AbortController()
      const progress = recordProgress(stop.signal)
      const file = renamed('stopped.tar.gz')
      const upload = location.upload(file, progress).then(
        () => 'finished',
        (error: unknown) => error,
      )
      await reached
      const why = new Error('The tick is over.')
      stop.abort(why)
      // The proxy still holds the connection: only the signal can have ended it.
      expect(await upload).to.equal(why)
      proxy.flow()
      expect(await location.list(never())).to.deep.equal([])
      await location.discard(file, progress.kept, never())
      await location.discard(file, progress.kept, never())
    })

    it('goes on in a new process after kill -9', async () => {
      const file = renamed('killed.tar.gz')
      const stateFile = join(temporaryFolder(), 'state.json')
      const reached = proxy.holdAfter(CUT)
      const first = startUpload(reach(proxy.port), [file], stateFile)
      await reached
      first.child.kill('SIGKILL')
      await first.ended
      // What the dead process had still sent is not counted as the next one's.
      proxy.dropAll()
      proxy.flow()

      proxy.reset()
      const second = startUpload(reach(proxy.port), [file], stateFile)
      expect((await second.ended).names).to.deep.equal([file.name])
      if (resumes) expect(proxy.bytes).to.be.below(archive.size - CUT + lossBytes + MEBIBYTE)
      expect(await sumOfDownload(location, file.name)).to.equal(archive.sha256)
      expect(await location.list(never())).to.have.length(1)
    })

    it('hands on what the keeping of the state throws, and does not try again', async () => {
      const lost = new Error('The connection to the database was closed.')
      let tries = 0
      const keep = async () => {
        tries += 1
        throw lost
      }
      const file = renamed('unkept.tar.gz')
      const upload = location.upload(file, { ...recordProgress(), keep })
      const error = await upload.then(
        () => undefined,
        (thrown: unknown) => thrown,
      )
      if (!resumes) expect(tries).to.equal(0)
      else expect([error, tries]).to.deep.equal([lost, 1])
      await location.discard(file, undefined, never())
    })

    it('is harmless to repeat when the crash came after the last byte', async () => {
      const file = renamed('again.tar.gz')
      const progress = recordProgress()
      await location.upload(file, progress)
      proxy.reset()
      const again = recordProgress(never(), progress.kept ?? null)
      expect(await location.upload(file, again)).to.equal(file.name)
      expect(proxy.bytes).to.be.below(MEBIBYTE)
      expect(await location.list(never())).to.have.length(1)
    })

    it('needs no more memory for 120 MB than for 20', async () => {
      const files = [await makeArchive(20, 'small.tar.gz'), await makeArchive(120, 'large.tar.gz')]
      const { ended } = startUpload(reach(port()), files, join(temporaryFolder(), 'state.json'))
      const [small = 0, large = 0] = (await ended).maxRss
      // 100 MB more to send; what grows is garbage between two collections: chunks of 8 MiB are few and large.
      expect(large - small).to.be.below(80 * 1024)
    })

    it('says what is wrong where nobody listens', async () => {
      const dead = await openProxy(port())
      const reached = reach(dead.port)
      await dead.close()
      const unreachable = await openLocation(reached)
      expect(await reasonOf(unreachable.test(never()))).to.match(/refused the connection/)
      await unreachable.close()
    })
  })
}

/** Uploads one after the other in a process of its own, which goes on from the state file if there is one. */
function startUpload(reached: Reached, files: readonly UploadedFile[], stateFile: string) {
  const planFile = join(temporaryFolder(), 'plan.json')
  const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : undefined
  writeFileSync(planFile, JSON.stringify({ ...reached, files, stateFile, state, siteDir: temporaryFolder() }))
  const child = spawn(process.execPath, [join(import.meta.dirname, 'upload-child.ts'), planFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text
  })
  /** Names of what was sent, and the most memory in kibibytes there had been after each. */
  async function finish(): Promise<{ names: string[]; maxRss: number[] }> {
    const [code, signal] = await once(child, 'close')
    if (signal === 'SIGKILL') return { names: [], maxRss: [] }
    if (code !== 0) throw new Error(`The upload ended with ${code}: ${output}`)
    return JSON.parse(output.trim().split('\n').at(-1) ?? '')
  }
  return { child, ended: finish() }
}
