import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import { type ExtensionHost, RestError } from 'pentad'
import { flatTarget } from './flatten.ts'
import type { Hits } from './hits.ts'
import { importRules } from './import-rules.ts'
import type { LiveRules } from './live-rules.ts'
import { loopError, loopsThroughPatterns, loopThrough } from './loops.ts'
import type { ActiveRule } from './matching/active-rule.ts'
import { type Address, folded, parseAddress } from './matching/address.ts'
import type { SiteAddresses } from './matching/site-address.ts'
import { loopThroughSite } from './site-loops.ts'
import type { RedirectStore } from './store.ts'
import { identityOfTerms, invalidParameters, readTerms } from './terms.ts'
import type { RedirectChanges, RedirectInput, RedirectRule, Redirects, RedirectTerms } from './types.ts'

type Wanted = ActiveRule & Pick<RedirectRule, 'enabled'>

/** ID of a rule that is not stored yet, larger than all others. */
const NEW = Number.MAX_SAFE_INTEGER

/** Redirects, with internal operations of the service. */
export interface OwnRedirects extends Redirects {
  /** A page moved: redirects its old path to the new one, and disables a redirect in the opposite direction. */
  pathChanged(from: string, to: string): Promise<void>
  /** A page exists at a path: removes an automatic redirect from an earlier move. */
  pathInUse(path: string): Promise<void>
}

export function createRedirects(
  host: Pick<ExtensionHost, 'hooks' | 'log' | 'front' | 'content'>,
  parts: { store: RedirectStore; live: LiveRules; hits: Hits; site: SiteAddresses },
): OwnRedirects {
  const { store, live, hits, site } = parts

  function emitChange(type: 'created' | 'updated' | 'deleted' | 'imported', rules: readonly RedirectRule[]): void {
    if (rules.length > 0) host.hooks.doAction('seo_redirects_changed', { type, rules })
  }

  /**
   * Disabled rules are only checked when they are enabled. @throws RestError 409 `redirect_loop`, 400 `invalid_regex`
   */
  function rejectLoop(rule: Wanted, instead?: RedirectRule): void {
    live.check(rule)
    const loop = live.suppose({ add: [rule], remove: instead ? [instead] : [] }, (rules) => {
      if (!rule.enabled) return undefined
      const found = loopThrough(rule, rules, site)
      if (found || rule.match === 'exact') return found
      for (const step of loopsThroughPatterns(new Set([rule.id]), rules, site)) if (step) return step[1]
      return undefined
    })
    if (loop) throw loopError(loop)
  }

  /** @throws RestError 409 `redirect_loop` */
  async function rejectLoopThroughSite(rule: Wanted, instead?: RedirectRule): Promise<void> {
    const trace = (start: Address) =>
      live.suppose({ add: [rule], remove: instead ? [instead] : [] }, (rules) => rules.trace(start))
    const loop = rule.enabled ? await loopThroughSite(rule, trace, { site, front: host.front }) : undefined
    if (loop) throw loopError(loop)
  }

  async function create(input: RedirectInput, automatic: boolean): Promise<RedirectRule> {
    const terms = readTerms(input, site)
    const { enabled = true, note = '', hits: count = 0, lastHitAt = null } = input
    const { createdAt = new Date().toISOString() } = input
    const identity = identityOfTerms(terms)
    await live.prepare([terms])
    if ((await store.taken([identity])).size > 0) throw exists()
    rejectLoop({ ...terms, enabled, id: NEW })
    await rejectLoopThroughSite({ ...terms, enabled, id: NEW })
    const stored = { ...terms, enabled, note, hits: count, lastHitAt, createdAt, identity, automatic }
    const [rule] = await store.insert([stored])
    if (!rule) throw exists()
    live.change({ add: [rule] })
    return rule
  }

  async function update(id: number, changes: RedirectChanges): Promise<RedirectRule> {
    const before = await known(id)
    const { enabled = before.enabled, note = before.note } = changes
    const terms = readTerms(changed(before, changes), site)
    await live.prepare([terms])
    const identity = identityOfTerms(terms)
    if (identity !== identityOfTerms(before) && (await store.taken([identity])).size > 0) throw exists()
    rejectLoop({ ...terms, enabled, id }, before)
    await rejectLoopThroughSite({ ...terms, enabled, id }, before)
    const stored = await store.update(id, { ...terms, enabled, note, identity, automatic: false })
    if (stored === 'taken') throw exists()
    if (!stored) return known(id)
    live.change({ remove: [before], add: [stored] })
    return stored
  }

  async function removeMany(ids: readonly number[]): Promise<RedirectRule[]> {
    await hits.write()
    const rules = await live.exclusive(async () => {
      const removed = await store.remove(ids)
      if (removed.length > 0) live.change({ remove: removed })
      return removed
    })
    emitChange('deleted', rules)
    return rules
  }

  async function known(id: number): Promise<RedirectRule> {
    const rule = await store.get(id)
    if (!rule) throw new RestError('redirect_not_found', 'Redirect not found.', { status: 404 })
    return rule
  }

  return {
    async create(input) {
      const rule = await live.exclusive(() => create(input, false))
      emitChange('created', [rule])
      return rule
    },

    async import(rules) {
      const { imported, ...result } = await live.exclusive(() =>
        importRules(rules, { store, live, site, front: host.front }),
      )
      emitChange('imported', imported)
      return { imported: imported.length, ...result }
    },

    async update(id, changes) {
      const rule = await live.exclusive(() => update(id, changes))
      emitChange('updated', [rule])
      return rule
    },

    async switchAll(ids, enabled) {
      const rules: RedirectRule[] = []
      const errors: { id: number; message: string }[] = []
      await live.exclusive(async () => {
        for (const id of new Set(ids)) {
          try {
            rules.push(await update(id, { enabled }))
          } catch (error) {
            if (!(error instanceof RestError)) throw error
            errors.push({ id, message: error.message })
          }
          await yieldToEventLoop()
        }
      })
      emitChange('updated', rules)
      return { changed: rules.length, errors }
    },

    async remove(id) {
      const [rule] = await removeMany([id])
      return rule ?? known(id)
    },

    removeAll: removeMany,

    async get(id) {
      await hits.write()
      return known(id)
    },

    async list(query) {
      await hits.write()
      return store.list(query)
    },

    async all() {
      await hits.write()
      return everyRule(store)
    },

    async flatten() {
      await live.ready()
      const rules = await live.exclusive(async () => {
        const before = (await everyRule(store)).filter(({ enabled }) => enabled)
        const targets = new Map(
          before.flatMap((rule) => {
            const target = flatTarget(rule, live.rules(), site)
            return target === undefined ? [] : [[rule.id, target] as const]
          }),
        )
        if (targets.size === 0) return []
        const after = await store.retarget(targets)
        live.change({ remove: before.filter(({ id }) => targets.has(id)), add: after })
        return after
      })
      emitChange('updated', rules)
      return rules
    },

    async trace(url) {
      const path = site.ofSource(url)
      if (!path?.startsWith('/')) throw invalidParameters({ url: 'It must be a URL of this site.' })
      await live.ready()
      return live.rules().trace(parseAddress(path))
    },

    pathInUse,

    async pathChanged(from, to) {
      await pathInUse(to)
      // A page and a post may have shared one URL, as in WordPress: the other one still exists.
      if ((await host.content.posts.getByPath(from))?.status === 'publish') return
      await disableReverse(from, to)
      // Redirects to the old path are updated to the new one.
      const retargeted = await live.exclusive(async () => {
        const before = await store.automatic({ targets: [from] })
        if (before.length === 0) return []
        const after = await store.retarget(new Map(before.map(({ id }) => [id, to])))
        live.change({ remove: before, add: after })
        return after
      })
      emitChange('updated', retargeted)
      try {
        const note = 'Created automatically when the slug changed.'
        emitChange('created', [await live.exclusive(() => create({ source: from, target: to, note }, true))])
      } catch (error) {
        // A manual redirect for the old path stays unchanged.
        if (!(error instanceof RestError)) throw error
        host.log.info({ from, to, code: error.code }, 'redirect for changed slug not created')
      }
    },
  }

  /**
   * If a manual redirect leads from the new path to the old one, the page would be unreachable: the redirect is
   * disabled.
   */
  async function disableReverse(from: string, to: string): Promise<void> {
    const switchedOff = await live.exclusive(async () => {
      const { hops, url } = live.rules().trace(parseAddress(to))
      const [first, ...others] = hops
      const leadsBack = [...others.map((hop) => hop.url), url].some((one) => isSamePath(one, from))
      const rule = first?.rule.match === 'exact' && leadsBack ? await store.get(first.rule.id) : undefined
      if (!rule) return []
      const terms = { ...rule, enabled: false, identity: identityOfTerms(rule), automatic: false }
      const stored = await store.update(rule.id, terms)
      if (!stored || stored === 'taken') return []
      live.change({ remove: [rule], add: [stored] })
      return [stored]
    })
    emitChange('updated', switchedOff)
  }

  async function pathInUse(path: string): Promise<void> {
    const removed = await live.exclusive(async () => {
      const inTheWay = await store.automatic({
        identities: [identityOfTerms(readTerms({ source: path, target: '/' }, site))],
      })
      if (inTheWay.length === 0) return []
      const rules = await store.remove(inTheWay.map(({ id }) => id))
      live.change({ remove: rules })
      return rules
    })
    emitChange('deleted', removed)
  }
}

/** The resulting fields of a rule; 410 and 451 have no target. */
function changed(before: RedirectRule, changes: RedirectChanges): RedirectTerms {
  return {
    source: changes.source ?? before.source,
    target: changes.target ?? before.target,
    match: changes.match ?? before.match,
    status: changes.status ?? before.status,
    query: changes.query ?? before.query,
    caseSensitive: changes.caseSensitive ?? before.caseSensitive,
  }
}

function isSamePath(one: string, other: string): boolean {
  return folded(parseAddress(one).key) === folded(parseAddress(other).key)
}

async function everyRule(store: Pick<RedirectStore, 'after'>): Promise<RedirectRule[]> {
  const rules: RedirectRule[] = []
  for (;;) {
    const batch = await store.after(rules.at(-1)?.id ?? 0)
    if (batch.length === 0) return rules
    rules.push(...batch)
    await yieldToEventLoop()
  }
}

function exists(): RestError {
  return new RestError('redirect_exists', 'A redirect for this source already exists.', { status: 409 })
}
