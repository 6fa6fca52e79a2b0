import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Sandboxes } from '../../cms/sandbox/index.ts'
import { createUntrustedCode } from '../../cms/untrusted-code.ts'
import { messageOf, RestError } from '../../core/errors.ts'
import { createFileLock } from '../../core/files/lock.ts'
import { makeFolder } from '../../core/files/make-folder.ts'
import type { JoiningHost } from '../../core/types.ts'
import type { Loader, Servers, Source } from '../loader/index.ts'
import type { SharedCode } from '../shared-code/index.ts'
import { createAdvisories } from './advisories.ts'
import { createChecks } from './checks.ts'
import { conflict } from './errors.ts'
import { createFolders } from './folders.ts'
import type { UpgradeReport } from './hooks.ts'
import { createObtain } from './obtain.ts'
import { createProvenance } from './provenance.ts'
import { createRecords, PACKAGE_RECORDS, type PackageRecord } from './records.ts'
import { createRegistry } from './registry.ts'
import { removeData } from './remove-data.ts'
import { packageSettings } from './settings.ts'
import type { InstalledExtension, InstallOptions, Packages } from './types.ts'
import { unpackPackage } from './unpack.ts'

export { registerPackageRoutes } from './routes.ts'
export { parseSource } from './source.ts'
export type * from './types.ts'

type PackagesHost = Pick<
  JoiningHost,
  'config' | 'database' | 'extensions' | 'hooks' | 'log' | 'onListen' | 'options' | 'settings'
>

/** Adds the installation of extensions to a host. */
export function joinPackages(
  host: PackagesHost,
  parts: {
    readonly loader: Loader
    readonly servers: Servers
    readonly sandboxes: Pick<Sandboxes, 'allow' | 'forget'>
    readonly sharedCode: SharedCode | undefined
  },
): Packages {
  const { loader, servers, sandboxes, sharedCode } = parts
  const { config, database, extensions, hooks, log, options } = host
  const settings = host.settings.register('extension_packages', packageSettings).settings.get
  const registry = createRegistry(settings, createProvenance(settings, join(config.siteDir, 'cache'), log))
  const advisories = createAdvisories(settings)
  const folder = join(config.siteDir, 'extensions')
  const folders = createFolders(folder)
  const untrusted = createUntrustedCode(folder)
  const records = createRecords(options)
  const checks = createChecks({ extensions, folders, loader, records })
  const temporary = join(config.siteDir, 'tmp')
  const obtain = createObtain(registry, temporary)
  let isServing = false
  host.onListen(async () => {
    isServing = true
    if (existsSync(folder)) await exclusively(folders.recover)
    await reportCommands()
  })
  hooks.addAction('updated_option', (name) => {
    // Not awaited, because the writer of the option waits for this callback.
    if (name === PACKAGE_RECORDS && isServing) void reportCommands()
  })
  /** A command leaves the work to a running site. */
  const runner = () => (isServing ? extensions : servers)

  async function exclusively<Result>(work: () => Promise<Result>): Promise<Result> {
    if (config.disallowFileMods) {
      throw new RestError('file_mods_disallowed', 'This site does not allow extensions to be installed or removed.', {
        status: 403,
      })
    }
    makeFolder(temporary)
    makeFolder(folder)
    return createFileLock(join(temporary, 'packages.lock')).hold(work)
  }

  const stateOf = (id: string) => extensions.list().find((one) => one.id === id)?.state ?? 'inactive'

  /** Runs the version that is in place now. @throws the reason why it cannot run */
  async function start(id: string, activate: boolean): Promise<void> {
    if (stateOf(id) !== 'inactive') await runner().reload(id)
    else if (activate) await runner().activate(id)
  }

  /**
   * What an active extension asks for with its new version, beyond what was consented to.
   *
   * @throws RestError `extension_permissions_added` unless `allowed` has all of it; `package_conflict` if the manifest is invalid
   */
  async function addedPermissions(source: Source, allowed: InstallOptions['permissions']): Promise<readonly string[]> {
    const { added } = await loader.ask(source).catch((error: unknown) => {
      throw conflict(`${source.name} cannot run on this site. ${messageOf(error)}`)
    })
    if (stateOf(source.id) === 'inactive') return []
    if (allowed === 'all' || added.every((text) => allowed?.includes(text))) return added
    const message = `${source.name} ${source.version} requires additional permissions: ${added.join('; ')}.`
    throw new RestError('extension_permissions_added', message, { status: 409, name: source.name, added })
  }

  /** @param staged - A folder with the new version. */
  async function place(staged: string, { activate = false, permissions }: InstallOptions): Promise<InstalledExtension> {
    const { source, target, previous } = await checks.check(staged)
    const { id, name, version } = source
    const added = await addedPermissions(source, permissions)
    const wasActive = stateOf(id) === 'active'
    const forget = await sandboxes.allow(id, added)
    const wasUntrusted = untrusted.has(target)
    const replaced = await folders.replace(staged, target)
    let unshare: (() => Promise<void>) | undefined
    try {
      unshare = await sharedCode?.push('extensions', target)
      await extensions.discover()
      await extensions.get(id)?.source.trust?.()
      await start(id, activate)
    } catch (error) {
      // Earlier than the previous files are there again.
      if (wasUntrusted) await untrusted.mark(target)
      await replaced.undo()
      await unshare?.()
      await forget()
      await extensions.discover()
      // In a process that is not the site's server, the attempt has paused it.
      if (wasActive && stateOf(id) !== 'active') await runner().activate(id)
      if (!previous) {
        await extensions.uninstall(id, false)
        await extensions.discover()
      }
      const outcome = previous ? `Version ${previous} is still installed.` : 'It was not installed.'
      throw conflict(`${name} ${version} does not work on this site. ${outcome} ${messageOf(error)}`)
    }
    await replaced.done()
    return { id, name, version, previousVersion: previous }
  }

  async function fire(
    id: string,
    version: string,
    done: Pick<UpgradeReport, 'action' | 'previousVersion'>,
  ): Promise<void> {
    const upgrade: UpgradeReport = { ...done, type: 'plugin', plugins: [id], version }
    await hooks.doActionAsync('upgrader_process_complete', upgrade)
  }

  /** A command leaves it to a running site, where the extension runs. */
  async function report(installed: InstalledExtension, record: Omit<PackageRecord, 'unreported'>): Promise<void> {
    const { id, version, previousVersion } = installed
    const action = previousVersion === null ? 'install' : 'update'
    const isLeft = !isServing && (await servers.isRunning())
    await records.set(id, { ...record, unreported: isLeft ? { action, previousVersion } : null })
    log.info(
      { extension: id, version, from: record.from },
      `extension ${action === 'install' ? 'installed' : 'updated'}`,
    )
    if (!isLeft) await fire(id, version, { action, previousVersion })
  }

  /** Reports what commands did to this site, while it was running or before it started. */
  async function reportCommands(): Promise<void> {
    for (const id of records.unreported()) {
      const { version, unreported } = (await records.claim(id)) ?? {}
      if (!unreported || version === undefined) continue
      const { action, previousVersion } = unreported
      if (action === 'delete') await hooks.doActionAsync('deleted_plugin', id, true)
      else await fire(id, version, { action, previousVersion })
    }
  }

  async function install(source: Parameters<Packages['install']>[0], given: InstallOptions = {}) {
    return exclusively(async () => {
      await folders.recover()
      await using obtained = await obtain(source, given.ignoresDelay ?? false)
      const staged = folders.stage()
      try {
        const unpacked = await unpackPackage(obtained.path, staged)
        const { name, integrity, signedBy, hasProvenance, provenance } = obtained
        await checks.checkOrigin(unpacked, name)
        const identity = given.ignoresAdvisories ? undefined : await checks.identify(unpacked, name)
        if (identity) await advisories.assertNone(identity)
        const installed = await place(unpacked, given)
        const from = given.from ?? obtained.from
        const { version } = installed
        const date = new Date().toISOString()
        const verified = { integrity, signedBy, hasProvenance, provenance }
        await report(installed, { version, name, from, installed: date, ...verified })
        return installed
      } finally {
        await folders.discard(staged)
      }
    })
  }

  async function newest(id: string, { name, version }: PackageRecord) {
    const { semver } = await import('../semver.ts')
    const release = name === null ? undefined : await registry.resolve(name, 'latest')
    return release && semver.gt(release.version, version) ? { id, release } : undefined
  }

  return {
    install,
    async update(id, options = {}) {
      const record = records.all()[id]
      if (!record?.name) throw conflict(`${id} was not installed from the registry, so it has no updates.`)
      const found = await newest(id, record)
      if (!found) return undefined
      return install({ type: 'registry', name: record.name, range: found.release.version }, options)
    },
    async outdated() {
      await extensions.discover()
      const all = Object.entries(records.all()).filter(([id]) => extensions.get(id))
      const found = await Promise.all(
        all.map(([id, record]) =>
          newest(id, record).catch((error: unknown) => {
            log.warn({ err: error, extension: id }, 'could not check for updates')
            return undefined
          }),
        ),
      )
      return found.flatMap((update) => {
        if (!update) return []
        const { name, version: newestVersion, heldUntil } = update.release
        return {
          ...{ id: update.id, package: name, version: records.all()[update.id]?.version ?? '', newest: newestVersion },
          heldUntil: heldUntil === undefined ? null : toDate(heldUntil),
        }
      })
    },
    async vulnerable() {
      await extensions.discover()
      const installed = Object.entries(records.all()).flatMap(([id, { name, version }]) =>
        name !== null && extensions.get(id) ? { id, name, version } : [],
      )
      const found = await advisories.ofAll(installed).catch((error: unknown) => {
        log.warn({ err: error }, 'could not check for vulnerabilities')
        return []
      })
      return installed.flatMap(({ id, name, version }, at) => {
        const known = found[at] ?? []
        return known.length === 0 ? [] : { id, package: name, version, advisories: known }
      })
    },
    origin(id) {
      const record = records.all()[id]
      if (!record) return undefined
      const { name, unreported: _, ...origin } = record
      return { ...origin, package: name }
    },
    remove: (id, { withData = false } = {}) =>
      exclusively(async () => {
        const path = await checks.removable(id)
        const { isSandboxed } = loader.isolationOf(id)
        if (stateOf(id) !== 'inactive') await runner().deactivate(id)
        await extensions.uninstall(id, withData)
        if (withData) await removeData(id, { database, options, isSandboxed })
        await sandboxes.forget(id)
        const deleteFiles = () => folders.remove(path)
        const deleted = await (sharedCode?.remove('extensions', basename(path), deleteFiles) ?? deleteFiles()).then(
          () => undefined,
          (error: unknown) => error,
        )
        const isLeft = !deleted && !isServing && (await servers.isRunning())
        if (!deleted) await records.delete(id, isLeft)
        await extensions.discover()
        if (!isLeft) await hooks.doActionAsync('deleted_plugin', id, deleted === undefined)
        if (deleted) throw deleted
        log.info({ extension: id, withData }, 'extension removed')
      }),
    async search(words) {
      const installed = Object.entries(records.all())
      return (await registry.search(words)).map((found) => ({
        ...found,
        installedId: installed.find(([, { name }]) => name === found.name)?.[0] ?? null,
      }))
    },
  }
}

/** If the registry states no date, the release is held back indefinitely. */
function toDate(time: number): string | null {
  return Number.isFinite(time) ? new Date(time).toISOString() : null
}
