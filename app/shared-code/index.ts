import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { createUntrustedCode } from '../../cms/untrusted-code.ts'
import type { Config } from '../../core/config.ts'
import type { Database } from '../../core/database/index.ts'
import { RestError } from '../../core/errors.ts'
import { writeAtomically } from '../../core/files/atomic-write.ts'
import { createFileLock } from '../../core/files/lock.ts'
import { makeFolder } from '../../core/files/make-folder.ts'
import type { Hooks } from '../../core/hooks/types.ts'
import type { JoiningHost } from '../../core/types.ts'
import { createFolders } from '../packages/folders.ts'
import { unpackPackage } from '../packages/unpack.ts'
import { CODE_IMPORT } from './files.ts'
import { type PackedEntry, packEntry } from './pack.ts'
import { type CodeKind, type Entry, openCodeStore, SHARED_CODE } from './store.ts'

const KINDS = ['extensions', 'themes'] as const
/** Entries of the folders that are neither extensions nor themes. */
const SKIPPED = /^\.|^node_modules$/
/** Interval of comparisons with the database, in ms, in case that the previous one failed. */
const RETRY = 5_000

const placedSchema = z.record(z.string(), z.string())

/**
 * The extensions and themes of a site with several nodes: each node has a copy of what is in the database. What an administrator installs,
 * activates, or reloads on one node is stored there, and the others fetch it.
 */
export interface SharedCode {
  /** Makes the folders of this node equal to those of the others. Problems are logged. */
  pull(): Promise<void>
  /**
   * Stores an entry of a folder for the other nodes.
   * @returns a function that restores what was stored before
   * @throws RestError `package_invalid` if it exceeds the limits of packages
   */
  push(kind: CodeKind, name: string): Promise<() => Promise<void>>
  /** Removes an entry from all nodes. @param deleteFiles - Deletes it on this node; if it fails, the other nodes keep the entry. */
  remove(kind: CodeKind, name: string, deleteFiles: () => Promise<void>): Promise<void>
  /** What this node could not fetch yet: `extensions/hello`. */
  missing(): readonly string[]
  /** Calls the listener after entries that another node has stored or removed were changed here. */
  onChanged(kind: CodeKind, changed: (names: readonly string[]) => void): void
}

type SharedCodeHost = Pick<JoiningHost, 'log' | 'onClose' | 'onListen' | 'options' | 'siteKey'> & {
  readonly config: Pick<Config, 'siteDir'>
  readonly database: Pick<Database, 'db' | 'migrate'>
  readonly hooks: Pick<Hooks, 'addAction'>
}

/** @param serves - Whether this process serves the site: only then are changes made by hand shared. */
export async function joinSharedCode(host: SharedCodeHost, serves: boolean): Promise<SharedCode> {
  const { config, log } = host
  const store = await openCodeStore(host)
  const folderOf = (kind: CodeKind) => join(config.siteDir, kind)
  const temporary = join(config.siteDir, 'tmp')
  // All nodes have the same key, so they reject what anyone else writes to the database.
  const keys = {
    extensions: host.siteKey.derive('shared extensions'),
    themes: host.siteKey.derive('shared themes'),
  }
  const pack = (kind: CodeKind, name: string, folder = folderOf(kind)) => packEntry(folder, name, keys[kind])
  const listeners = new Map<CodeKind, (names: readonly string[]) => void>()
  /** The hash of each entry on this machine as far as this process knows; empty for one that was removed. */
  const known = new Map<string, string>()
  const missing = new Set<string>()
  const placedFile = join(config.siteDir, 'cache', 'shared-code.json')
  let isCompared = false
  let pulling: Promise<void> = Promise.resolve()

  /**
   * The hashes that this node stored or fetched last: what differs from them was changed by hand. Empty for an entry that was removed: what is
   * there was put there since.
   */
  async function readPlaced(): Promise<Record<string, string>> {
    const text = await readFile(placedFile, 'utf8').catch(() => '{}')
    try {
      return placedSchema.parse(JSON.parse(text))
    } catch {
      return {}
    }
  }

  async function note(kind: CodeKind, name: string, hash: string): Promise<void> {
    const path = `${kind}/${name}`
    known.set(path, hash)
    missing.delete(path)
    const placed = await readPlaced()
    if (placed[path] === hash) return
    makeFolder(join(config.siteDir, 'cache'))
    await writeAtomically(placedFile, JSON.stringify({ ...placed, [path]: hash }))
  }

  async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    makeFolder(temporary)
    return createFileLock(join(temporary, 'shared-code.lock')).hold(work)
  }

  async function share(kind: CodeKind, name: string, packed: PackedEntry): Promise<void> {
    const { hash } = packed
    await store.save(hash, packed.archive)
    const entry = store.entries()[kind][name]
    if (entry?.hash !== hash || entry.isRemoved) await store.set(kind, name, { hash, isRemoved: false })
    // Not earlier: files that could not be shared still count as changed by hand.
    await note(kind, name, hash)
  }

  /** Puts what another node has stored in place. */
  async function fetch(kind: CodeKind, name: string, hash: string, isOwn: boolean): Promise<void> {
    const archive = await store.read(hash)
    if (!archive) throw new Error('The archive is not in the database.')
    const folders = createFolders(folderOf(kind))
    await mkdir(folderOf(kind), { recursive: true })
    const staged = folders.stage()
    const file = join(temporary, `${randomUUID()}.tgz`)
    try {
      await writeFile(file, archive)
      await unpackPackage(file, staged)
      if ((await pack(kind, name, staged))?.hash !== hash) throw new Error('The archive is damaged.')
      if (isOwn) await setAside(kind, name)
      const { done } = await folders.replace(join(staged, name), name)
      await done()
      await createUntrustedCode(folderOf(kind)).trust(join(folderOf(kind), name))
    } finally {
      await rm(file, { force: true })
      await folders.discard(staged)
    }
  }

  /** Keeps files that exist on this node only. */
  async function setAside(kind: CodeKind, name: string): Promise<void> {
    const path = join(folderOf(kind), name)
    if (!existsSync(path)) return
    const aside = join(temporary, `replaced-${kind}-${name}-${Date.now()}`)
    await rename(path, aside)
    log.warn({ entry: `${kind}/${name}`, movedTo: aside }, 'files replaced by those of the other nodes')
  }

  /** @returns whether the folder has changed */
  async function follow(kind: CodeKind, name: string, { hash, isRemoved }: Entry): Promise<boolean> {
    const path = `${kind}/${name}`
    const found = await packOrWarn(kind, name)
    const own = found === 'invalid' ? undefined : found
    const last = (await readPlaced())[path]
    if (isRemoved) {
      // Files that were put there since then, by a restore for example, are another extension.
      const isSame = own?.hash === hash && last !== ''
      if (isSame) await createFolders(folderOf(kind)).remove(join(folderOf(kind), name))
      if (isSame || !found) await note(kind, name, '')
      known.set(path, '')
      missing.delete(path)
      return isSame
    }
    if (own?.hash === hash) {
      // Another process of this node has put it there.
      const wasOther = isCompared && known.has(path) && known.get(path) !== hash
      await createUntrustedCode(folderOf(kind)).trust(join(folderOf(kind), name))
      await note(kind, name, hash)
      return wasOther
    }
    const isChangedByHand = found !== undefined && last === hash
    if (isChangedByHand && own && serves) await share(kind, name, own)
    // A command leaves it to the server, and files that exceed the limits stay on this node.
    else if (isChangedByHand) {
      known.set(path, hash)
      missing.delete(path)
    } else {
      await fetch(kind, name, hash, found !== undefined && own?.hash !== last)
      await note(kind, name, hash)
      log.info({ entry: path }, 'files fetched from the database')
      return true
    }
    return false
  }

  const changes = (kind: CodeKind) =>
    Object.entries(store.entries()[kind]).filter(
      ([name, { hash, isRemoved }]) => known.get(`${kind}/${name}`) !== (isRemoved ? '' : hash),
    )

  async function followAll(kind: CodeKind): Promise<void> {
    const changed: string[] = []
    for (const [name, entry] of changes(kind)) {
      const path = `${kind}/${name}`
      if (SKIPPED.test(name) || /[/\\]/.test(name)) continue
      try {
        if (await follow(kind, name, entry)) changed.push(name)
      } catch (error) {
        if (!missing.has(path)) log.error({ err: error, entry: path }, 'could not fetch files from the database')
        missing.add(path)
      }
    }
    if (changed.length > 0) listeners.get(kind)?.(changed)
  }

  /** The names of the entries of this node, without those that it does not trust. */
  async function ownNames(kind: CodeKind): Promise<string[]> {
    const untrusted = createUntrustedCode(folderOf(kind))
    const names = await readdir(folderOf(kind)).catch(() => [])
    return names.filter((name) => !SKIPPED.test(name) && !untrusted.has(name))
  }

  /** Stores what no node has stored yet. */
  async function shareNew(kind: CodeKind): Promise<void> {
    const entries = store.entries()[kind]
    const placed = await readPlaced()
    for (const name of await ownNames(kind)) {
      const isPutSince = entries[name]?.isRemoved && placed[`${kind}/${name}`] === ''
      if (entries[name] && !isPutSince) continue
      const packed = await packOrWarn(kind, name)
      if (packed && packed !== 'invalid') await share(kind, name, packed)
    }
  }

  async function packOrWarn(kind: CodeKind, name: string): Promise<PackedEntry | 'invalid' | undefined> {
    try {
      return await pack(kind, name)
    } catch (error) {
      if (!(error instanceof RestError)) throw error
      log.warn({ entry: `${kind}/${name}`, reason: error.message }, 'files not shared with the other nodes')
      return 'invalid'
    }
  }

  /** After a restore, this node has the files of the site. Stored at once, because nodes may start or stop in between. */
  async function importFolders(): Promise<void> {
    const mark = join(config.siteDir, CODE_IMPORT)
    if (!existsSync(mark)) return
    const entries = store.entries()
    const placed = await readPlaced()
    for (const kind of KINDS) {
      const all = entries[kind]
      for (const entry of Object.values(all)) entry.isRemoved = true
      // What was installed since the backup, which the restored options do not list.
      for (const [path, hash] of Object.entries(placed)) {
        const [folder, name] = path.split('/', 2)
        if (folder === kind && name !== undefined && hash !== '') all[name] = { hash, isRemoved: true }
      }
      for (const name of await ownNames(kind)) {
        const packed = await packOrWarn(kind, name)
        if (!packed || packed === 'invalid') continue
        await store.save(packed.hash, packed.archive)
        all[name] = { hash: packed.hash, isRemoved: false }
      }
    }
    await store.replace(entries)
    for (const kind of KINDS) {
      for (const [name, { hash, isRemoved }] of Object.entries(entries[kind])) {
        await note(kind, name, isRemoved ? '' : hash)
      }
    }
    await rm(mark)
  }

  async function pullNow(): Promise<void> {
    if (isCompared && KINDS.every((kind) => changes(kind).length === 0)) return
    await exclusively(async () => {
      if (!isCompared) await importFolders()
      for (const kind of KINDS) {
        await followAll(kind)
        if (!isCompared && serves) await shareNew(kind)
      }
      isCompared = true
    })
  }

  function pull(): Promise<void> {
    pulling = pulling
      .then(pullNow)
      .catch((error) => log.error({ err: error }, 'could not compare files with the database'))
    return pulling
  }

  host.hooks.addAction('updated_option', (name) => {
    // Not awaited, because the writer of the option waits for this callback.
    if (name === SHARED_CODE) void pull()
  })
  let retrying: NodeJS.Timeout | undefined
  host.onListen(() => {
    retrying = setInterval(() => void pull(), RETRY).unref()
  })
  host.onClose(async () => {
    clearInterval(retrying)
    await pulling
  })

  return {
    pull,
    async push(kind, name) {
      return exclusively(async () => {
        const former = store.entries()[kind][name]
        const packed = await pack(kind, name)
        if (packed) await share(kind, name, packed)
        return () =>
          exclusively(async () => {
            const previous = former ?? (packed && { hash: packed.hash, isRemoved: true })
            if (!previous) return
            await store.set(kind, name, previous)
            await note(kind, name, previous.isRemoved ? '' : previous.hash)
          })
      })
    },
    remove: (kind, name, deleteFiles) =>
      exclusively(async () => {
        const entry = store.entries()[kind][name]
        // First, because a node that stops in between deletes the files when it starts, but would fetch deleted ones again.
        if (entry) await store.set(kind, name, { ...entry, isRemoved: true })
        try {
          await deleteFiles()
        } catch (error) {
          if (entry) await store.set(kind, name, entry)
          throw error
        }
        if (entry) await note(kind, name, '')
      }),
    missing: () => [...missing, ...(isCompared ? [] : KINDS)],
    onChanged: (kind, changed) => void listeners.set(kind, changed),
  }
}
