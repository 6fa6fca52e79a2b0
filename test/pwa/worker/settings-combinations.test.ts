import { createContext, runInContext, Script } from 'node:vm'
import { expect } from 'chai'
import { bundleScript } from '../../../app/index.ts'
import { OFFLINE_STRATEGIES, settingsSchema } from '../../../plugins/pwa/settings.ts'
import { buildSelfDestroyingWorker, buildWorker } from '../../../plugins/pwa/worker/build.ts'
import { createWorkerScope } from './worker-scope.ts'

const SWITCH = ['on', 'off'] as const

/** What the worker's source reads, as `worker-settings.ts` gives it. */
const constants = {
  ...{ path: '/sw.js', restPath: '/wp-json/', isOffline: true, strategy: 'NetworkFirst', days: 10 },
  ...{ fallbackPath: '', startPath: '/', excluded: [], handlesFiles: true, appName: 'App', language: 'en' },
  ...{ direction: 'ltr', publicKey: 'key' },
  texts: { offlineTitle: 'O', offlineText: 'o', tryAgain: 't', formKeptTitle: 'F', formKeptText: 'f' },
}

/** Every combination of what decides which parts the worker has and what they do. */
function* combinations() {
  for (const backgroundSync of SWITCH)
    for (const periodicSync of SWITCH) {
      const sync = { backgroundSync, periodicSync }
      // Nothing is kept then, in whatever way.
      yield { offlineCache: 'off' as const, ...sync, strategy: 'NetworkFirst', fallbackPath: '', handlesFiles: true }
      for (const strategy of OFFLINE_STRATEGIES)
        for (const fallbackPath of ['', '/offline/'])
          for (const handlesFiles of [true, false])
            yield { offlineCache: 'on' as const, ...sync, strategy, fallbackPath, handlesFiles }
    }
}

describe('Every combination of settings makes a worker that parses and runs', () => {
  it('all of them', async () => {
    let count = 0
    for (const one of combinations()) {
      const { offlineCache, backgroundSync, periodicSync, ...more } = one
      const settings = settingsSchema.parse({ offlineCache, backgroundSync, periodicSync })
      const source = await buildWorker(
        settings,
        { ...constants, ...more, isOffline: offlineCache === 'on' },
        bundleScript,
      )
      const script = new Script(source)
      const scope = createWorkerScope()
      script.runInContext(createContext(scope.global))
      const isOffline = offlineCache === 'on'
      const name = JSON.stringify(one)
      expect(scope.events(), name).to.include.members(['install', 'activate', 'fetch', 'push', 'notificationclick'])
      expect(scope.events().includes('message'), name).to.equal(isOffline)
      expect(scope.events().includes('sync'), name).to.equal(isOffline && backgroundSync === 'on')
      expect(scope.events().includes('periodicsync'), name).to.equal(isOffline && periodicSync === 'on')
      // It comes, and takes its first page, without a network and with nothing kept.
      await scope.dispatch('install')
      await scope.dispatch('activate')
      const answer = await scope.navigate('https://site.test/hello/')
      if (isOffline) expect(answer?.status, name).to.equal(503)
      else expect(answer, name).to.equal(undefined)
      count += 1
    }
    expect(count).to.equal(2 * 2 * (1 + 5 * 2 * 2))
  })

  it('of which none answers the login form, or what a form in the history led to', async () => {
    const settings = settingsSchema.parse({ offlineCache: 'on', backgroundSync: 'on' })
    const scope = createWorkerScope()
    runInContext(
      await buildWorker(settings, { ...constants, strategy: 'NetworkFirst' }, bundleScript),
      createContext(scope.global),
    )
    const form = { method: 'POST', body: new URLSearchParams({ log: 'ada', pwd: 'secret' }) }
    expect(await scope.navigate('https://site.test/wp-login.php', form)).to.equal(undefined)
    expect(await scope.navigate('https://site.test/wp-admin/', form)).to.equal(undefined)
    const comments = 'https://site.test/wp-comments-post.php'
    expect((await scope.navigate(comments, form))?.status, 'a new comment').to.equal(503)
    expect(await scope.navigate(comments, { ...form, cache: 'only-if-cached' })).to.equal(undefined)
  })

  it('and the one that removes itself', async () => {
    const scope = createWorkerScope()
    runInContext(await buildSelfDestroyingWorker(bundleScript), createContext(scope.global))
    await scope.dispatch('install')
    await scope.dispatch('activate')
    expect(scope.isRegistered()).to.equal(false)
  })
})
