import { ChildProcess, spawn } from 'node:child_process'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { expect } from 'chai'
import type { TestHost } from 'pentad/testing'
import { z } from 'zod'
import { createFakeClock } from '../../../app/testing/clock.ts'
import { drawInProcess } from '../../../plugins/pwa/assets/draw-in-process.ts'
import type { Icon, SplashScreen } from '../../../plugins/pwa/types.ts'
import { addImage, openPwaSite, PWA, set } from '../pwa-site.ts'
import { disc, halves, isLike, pixelsOf, RED } from './icon-images.ts'

const BACKGROUND = '#20c060'

interface Saved {
  icons: Icon[]
  splashScreens: SplashScreen[]
  took: number
}

describe('POST /pwa/v1/pwa-assets', () => {
  let site: TestHost
  before(async () => {
    site = await openPwaSite()
  })
  after(() => site.close())

  async function post(route: 'check' | 'save') {
    const answer = await site.request(`/wp-json/pwa/v1/pwa-assets/${route}`, { method: 'POST', as: 'administrator' })
    const { code, data } = JSON.parse(await answer.text())
    return { status: answer.status, code, data }
  }
  const save = async (): Promise<Saved> => {
    const { status, data } = await post('save')
    expect(status, JSON.stringify(data)).to.equal(200)
    return data
  }
  const read = async (path: string) => {
    const answer = await site.get(path)
    expect(answer.status, path).to.equal(200)
    return { type: answer.headers.get('content-type'), bytes: new Uint8Array(await answer.arrayBuffer()) }
  }
  const sets = () => readdir(join(site.host.config.siteDir, 'uploads/pwa/assets'))

  it('are an administrator’s', async () => {
    for (const route of ['check', 'save']) {
      const path = `/wp-json/pwa/v1/pwa-assets/${route}`
      expect((await site.request(path, { method: 'POST' })).status).to.equal(401)
      expect((await site.request(path, { method: 'POST', as: 'editor' })).status).to.equal(403)
    }
  })

  it('find nothing before anything was made', async () => {
    const { icons, splashScreens } = (await post('check')).data
    expect(icons.exists || splashScreens.exists).to.equal(false)
    expect(icons.missing).to.include.members(['icon-192.png', 'icon-512.png', 'favicon.ico', 'apple-touch-icon.png'])
    expect(splashScreens.missing).to.include.members(['splash-1290x2796.png', 'splash-2796x1290.png'])
  })

  it('say so where no icon was chosen', async () => {
    expect(await post('save')).to.deep.include({ status: 400, code: 'missing_app_icon' })
  })

  describe('from a transparent icon', () => {
    let saved: Saved
    before(async () => {
      await set(site, { appIcon: await addImage(site, await disc(512).toBuffer()), backgroundColor: BACKGROUND })
      saved = await save()
    })

    const icon = (purpose: string, sizes: string) => {
      const found = saved.icons.find((one) => one.purpose === purpose && one.sizes === sizes)
      if (!found) throw new Error(`no ${purpose} icon of ${sizes}`)
      return found
    }
    const pixels = async (path: string) => pixelsOf((await read(path)).bytes)

    it('are all there then', async () => {
      expect((await post('check')).data).to.deep.equal({
        icons: { exists: true, missing: [] },
        splashScreens: { exists: true, missing: [] },
      })
      expect(saved.took).to.be.a('number')
    })

    it('are created in the background, with progress', async () => {
      const fetched = async () => {
        const answer = await site.get('/wp-json/pwa/v1/pwa-assets/fetch', { as: 'administrator' })
        return JSON.parse(await answer.text()).data
      }
      const request = { method: 'POST', as: 'administrator', body: { wait: false } }
      expect((await site.request('/wp-json/pwa/v1/pwa-assets/save', request)).status).to.equal(202)
      const seen: number[] = []
      let now = await fetched()
      for (; now.making; now = await fetched()) {
        seen.push(now.making.done)
        await wait(20)
      }
      expect(now).to.deep.include({ exists: true, error: null })
      expect(now.icons).to.have.length.above(5)
      expect(seen).to.deep.equal(seen.toSorted((one, other) => one - other))
      expect(seen.some((done) => done > 0)).to.equal(true)
    })

    it('have the size and type that they say', async () => {
      for (const { src, sizes, type } of saved.icons) {
        const file = await read(src)
        expect(file.type, src).to.equal(type)
        if (type !== 'image/png') continue
        const { width, height } = await pixelsOf(file.bytes)
        expect(`${width}x${height}`, src).to.equal(sizes)
      }
    })

    it('keep the transparency of icons for any purpose', async () => {
      const { at } = await pixels(icon('any', '512x512').src)
      expect(at(3, 3)[3]).to.equal(0)
      expect(isLike(at(256, 256), RED)).to.equal(true)
    })

    it('keep maskable icons within the safe zone, as large as it lets them be, on the background', async () => {
      const { at } = await pixels(icon('maskable', '512x512').src)
      let farthest = 0
      let isOpaque = true
      for (let y = 0; y < 512; y++) {
        for (let x = 0; x < 512; x++) {
          if (at(x, y)[3] < 255) isOpaque = false
          if (!isLike(at(x, y), BACKGROUND)) farthest = Math.max(farthest, Math.hypot(x + 0.5 - 256, y + 0.5 - 256))
        }
      }
      expect(isOpaque).to.equal(true)
      // Of the side: a circle of two fifths.
      expect(farthest / 512).to.be.within(0.39, 0.4)
    })

    it('make monochrome icons a white shape', async () => {
      const { at } = await pixels(icon('monochrome', '512x512').src)
      expect(at(256, 256)).to.deep.equal([255, 255, 255, 255])
      expect(at(3, 3)[3]).to.equal(0)
    })

    it('leave nothing transparent in the Apple touch icon', async () => {
      const { at } = await pixels(icon('any', '180x180').src)
      expect(at(1, 1)[3]).to.equal(255)
      expect(isLike(at(1, 1), BACKGROUND)).to.equal(true)
      expect(isLike(at(90, 90), RED)).to.equal(true)
    })

    it('have a favicon.ico with three sizes', async () => {
      const { bytes } = await read(icon('any', '48x48').src)
      const file = Buffer.from(bytes)
      expect([file.readUInt16LE(0), file.readUInt16LE(2), file.readUInt16LE(4)]).to.deep.equal([0, 1, 3])
      for (const [index, side] of [16, 32, 48].entries()) {
        const entry = file.subarray(6 + 16 * index)
        const offset = entry.readUInt32LE(12)
        const { width, height, at } = await pixelsOf(file.subarray(offset, offset + entry.readUInt32LE(8)))
        expect([entry.readUInt8(0), width, height]).to.deep.equal([side, side, side])
        expect(isLike(at(side / 2, side / 2), RED)).to.equal(true)
      }
    })

    it('have splash screens of both orientations, the icon in the middle of the background', async () => {
      for (const { src, media } of saved.splashScreens.filter(({ src }) => /(1290|2796)x/.test(src))) {
        const { width, height, at } = await pixels(src)
        const isPortrait = media.endsWith('(orientation: portrait)')
        expect(media).to.include('(device-width: 430px) and (device-height: 932px) and (-webkit-device-pixel-ratio: 3)')
        expect([width, height]).to.deep.equal(isPortrait ? [1290, 2796] : [2796, 1290])
        expect(isLike(at(width >> 1, height >> 1), RED)).to.equal(true)
        for (const [x, y] of [
          [0, 0],
          [width - 1, height - 1],
          [(width >> 1) - 170, height >> 1],
        ] as const)
          expect(at(x, y).join()).to.equal('32,192,96,255')
      }
      expect(saved.splashScreens.filter(({ src }) => /(1290|2796)x/.test(src))).to.have.length(2)
      expect(new Set(saved.splashScreens.map(({ media }) => media)).size).to.equal(saved.splashScreens.length)
    })

    it('may be cached permanently, because their URLs change with them', async () => {
      const { headers } = await site.get(icon('any', '192x192').src)
      expect(headers.get('cache-control')).to.include('immutable')
    })

    it('are replaced in one stroke: what pages name is there before, meanwhile and after', async () => {
      await set(site, { appIcon: await addImage(site, await halves(600, 400).jpeg().toBuffer(), 'photo.jpg') })
      const [old] = saved.icons
      let isDone = false
      const saving = save().finally(() => {
        isDone = true
      })
      while (!isDone) {
        const { icons } = JSON.parse(await (await site.get('/manifest.webmanifest')).text())
        for (const { src } of icons) expect((await site.get(src)).status, src).to.equal(200)
      }
      const after = await saving
      expect(after.icons[0]?.src).to.not.equal(old?.src)
      // Pages that are open still name it.
      expect((await site.get(old?.src ?? '')).status).to.equal(200)
    })

    it('are identical for two concurrent requests, and leave no other files', async () => {
      const [one, other] = await Promise.all([save(), save()])
      expect(one.icons).to.deep.equal(other.icons)
      expect(await sets()).to.have.length(1)
      expect((await post('check')).data.icons.exists).to.equal(true)
    })

    it('name a missing file, and recreate it', async () => {
      const [version = ''] = await sets()
      await rm(join(site.host.config.siteDir, 'uploads/pwa/assets', version, 'icon-192.png'))
      expect((await post('check')).data.icons).to.deep.equal({ exists: false, missing: ['icon-192.png'] })
      await save()
      expect((await post('check')).data.icons).to.deep.equal({ exists: true, missing: [] })
    })

    it('leave the old set where the icon can’t be read', async () => {
      const before = await sets()
      await set(site, { appIcon: await addImage(site, await disc(64).toBuffer()) })
      const { status, code, data } = await post('save')
      expect({ status, code, reason: data.reason }).to.deep.equal({
        ...{ status: 400, code: 'invalid_app_icon', reason: 'too_small' },
      })
      expect(await sets()).to.deep.equal(before)
      expect((await post('check')).data.icons.exists).to.equal(true)
    })

    it('say so where the icon was deleted', async () => {
      const appIcon = await addImage(site, await disc(200).toBuffer())
      await set(site, { appIcon })
      await site.host.content.posts.delete(appIcon)
      expect(await post('save')).to.deep.include({ status: 400, code: 'missing_app_icon' })
    })
  })

  describe('from an image that asks for work without end', () => {
    const bytes = Buffer.from(endless())
    let folder: string
    beforeEach(async () => {
      folder = await mkdtemp(join(tmpdir(), 'pentad-icons-'))
    })
    afterEach(() => rm(folder, { recursive: true }))
    const draw = (signal: AbortSignal, processorTime?: number) =>
      drawInProcess({ bytes, background: BACKGROUND, folder }, signal, processorTime).catch(
        (error) => error.reason ?? error.message,
      )

    it('are drawn by a process that can be ended', async () => {
      const ending = new AbortController()
      const drawing = draw(ending.signal)
      ending.abort(new Error('ended'))
      expect(await drawing).to.equal('ended')
    })

    it('are given up when they have taken too much processor time', async () => {
      expect(await draw(new AbortController().signal, 1000)).to.equal('too_complex')
    })

    it('are given up after ten minutes, however little they could compute', async () => {
      using clock = createFakeClock(new Date())
      const drawing = draw(new AbortController().signal)
      await clock.advance(600_000)
      expect(await drawing).to.equal('too_complex')
    })

    it('are drawn by a process that is the first to go where memory runs out, which the icon is refused for', async () => {
      let pid: number | undefined
      const note = (message: unknown) => {
        const { process: child } = z.object({ process: z.instanceof(ChildProcess) }).parse(message)
        setImmediate(() => {
          pid = child.pid
        })
      }
      subscribe('child_process', note)
      const drawing = draw(new AbortController().signal)
      await wait(1500)
      unsubscribe('child_process', note)
      process.kill(pid ?? expect.fail('no process'), 'SIGKILL')
      expect(await drawing).to.equal('too_complex')
    })
  })

  it('are drawn no longer once the process of the site was killed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pentad-icons-'))
    const program = `
      import { subscribe } from 'node:diagnostics_channel'
      import { drawInProcess } from ${JSON.stringify(join(PWA, 'assets/draw-in-process.ts'))}
      subscribe('child_process', ({ process: child }) => setImmediate(() => console.log(child.pid)))
      const task = { bytes: Buffer.from(${JSON.stringify(endless())}), background: '#ffffff', folder: ${JSON.stringify(folder)} }
      await drawInProcess(task, new AbortController().signal)
    `
    const killed = spawn(process.execPath, ['--input-type=module', '-e', program], {
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const [line] = await once(killed.stdout.setEncoding('utf8'), 'data')
    const pid = Number(line)
    // By then it has its task and is at work on it.
    await wait(2000)
    expect(isRunning(pid)).to.equal(true)
    killed.kill('SIGKILL')
    while (isRunning(pid)) await wait(50)
    await rm(folder, { recursive: true })
  })
})

/** A drawing of some hundred bytes that asks for 9⁹ circles. */
function endless(): string {
  const levels = Array.from({ length: 9 }, (_, n) => `<g id="g${n + 1}">${`<use href="#g${n}"/>`.repeat(9)}</g>`)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="200" height="200"><defs><circle id="g0" r="99"/>${levels.join('')}</defs><use href="#g9"/></svg>`
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
