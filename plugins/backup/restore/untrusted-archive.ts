import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { markUntrustedCode } from 'pentad'
import { z } from 'zod'
import { namesIn, pathExists } from '../missing-files.ts'
import type { Category } from '../types.ts'
import { createUntrustedFiles } from './untrusted-files.ts'

/** The fallback theme. */
const DEFAULT_THEME = 'default'

/** Options that decide which code runs. */
const codeSchema = z.object({
  host_extensions: z.unknown().optional(),
  host_settings: z.looseObject({ theme: z.string().optional() }).optional().catch(undefined),
})

type CodeRecords = z.output<typeof codeSchema>
type Records = Readonly<Record<string, unknown>>

/** An unpacked archive that this site did not sign. */
export interface UntrustedArchive {
  readonly siteDir: string
  /** Folder with the unpacked files that will replace those of the site. */
  readonly files: string
  /** The additional extension folder from the configuration; may be inside the site folder. */
  readonly extensionsDir: string | undefined
  readonly parts: readonly Category[]
}

/** Prevents the extensions and themes of an untrusted archive from running. */
export interface Quarantine {
  /** Whether the site's own file or folder is kept even if the archive contains another one. */
  keeps(path: string): boolean
  /** Must be called after everything was unpacked and carried over. */
  finish(): Promise<void>
  /**
   * The archive's options, without those that decide which code runs and without secrets that only the original site
   * can decrypt.
   */
  options(records: Records): Records
  /** Warnings for the owner. `options` may add more. */
  readonly warnings: readonly string[]
}

/**
 * Quarantines an untrusted archive. Themes that would replace the active or the default theme are renamed. Then all
 * extensions and other themes are marked, so that none runs until an administrator approves it.
 */
export async function quarantine({ siteDir, files, parts, extensionsDir }: UntrustedArchive): Promise<Quarantine> {
  const current = await readCodeRecords(siteDir)
  const inUse = current.host_settings?.theme
  const reserved = [...new Set([DEFAULT_THEME, inUse ?? DEFAULT_THEME])]
  const warnings: string[] = []
  const themes = parts.includes('themes') ? await renameThemes(join(files, 'themes'), reserved) : []
  warnings.push(...themes)
  const untrusted = await createUntrustedFiles(siteDir, extensionsDir)
  const { code, sealed } = await untrusted.remove(files)
  if (code.length > 0) warnings.push(`Code outside the extension folder was not restored: ${code.join(', ')}.`)
  if (sealed.length > 0) {
    warnings.push(
      `These files were not restored because they were encrypted with another secret.key: ${sealed.join(', ')}.`,
    )
  }
  const extensions = parts.includes('extensions') ? await extensionsIn(join(files, 'extensions')) : []
  if (extensions.length > 0) {
    warnings.push(
      `These extensions were deactivated. Review their code before you activate them: ${extensions.join(', ')}.`,
    )
  }
  return {
    warnings,
    keeps: (path) => untrusted.keeps(path) || reserved.some((theme) => path === `themes/${theme}`),
    async finish() {
      const folders = { extensions: join(files, 'extensions'), themes: join(files, 'themes') }
      if (extensions.length > 0) await markUntrustedCode(folders.extensions)
      // The reserved ones are the site's own, which were carried over.
      if (parts.includes('themes') && (await pathExists(folders.themes)))
        await markUntrustedCode(folders.themes, reserved)
    },
    options({ host_extensions: _, host_settings: settings, ...records }) {
      const { theme: formerTheme, ...others }: Records = z.looseObject({}).safeParse(settings).data ?? {}
      if (formerTheme !== undefined && formerTheme !== inUse) {
        warnings.push(`The backup used the theme ${JSON.stringify(formerTheme)}. This site keeps its current theme.`)
      }
      const removed: string[] = []
      const kept = withoutSecrets(
        {
          ...records,
          ...(current.host_extensions !== undefined && { host_extensions: current.host_extensions }),
          host_settings: { ...others, ...(inUse !== undefined && { theme: inUse }) },
        },
        removed,
      )
      if (removed.length > 0) warnings.push(`Enter these secrets again: ${removed.join(', ')}.`)
      return kept
    },
  }
}

/** Reads the current options from disk; empty if they are missing or broken. */
async function readCodeRecords(siteDir: string): Promise<CodeRecords> {
  try {
    return codeSchema.parse(JSON.parse(await readFile(join(siteDir, 'options.json'), 'utf8')))
  } catch {
    return {}
  }
}

/** @returns a warning for each renamed theme */
async function renameThemes(folder: string, reserved: readonly string[]): Promise<string[]> {
  const warnings: string[] = []
  const taken = new Set((await namesIn(folder)).map((name) => name.toLowerCase()))
  for (const name of await namesIn(folder)) {
    if (!reserved.some((theme) => theme.toLowerCase() === name.toLowerCase())) continue
    let next = `${name}-restored`
    for (let number = 2; taken.has(next.toLowerCase()); number++) next = `${name}-restored-${number}`
    taken.add(next.toLowerCase())
    await rename(join(folder, name), join(folder, next))
    warnings.push(
      `The theme ${JSON.stringify(name)} in the backup was renamed to ${JSON.stringify(next)} and is not active.`,
    )
  }
  return warnings
}

async function extensionsIn(folder: string): Promise<string[]> {
  if (!(await pathExists(folder))) return []
  return (await namesIn(folder)).filter((name) => !/^[._]|^node_modules$/.test(name)).sort()
}

/** Removes values of the form `{ "$sealed": "…" }`, which were encrypted with the original site's key. */
function withoutSecrets(records: Records, removed: string[], path: readonly string[] = []): Records {
  const kept = Object.entries(records).flatMap(([name, value]): [string, unknown][] => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[name, value]]
    if ('$sealed' in value) {
      removed.push([...path, name].join(' › '))
      return []
    }
    return [[name, withoutSecrets({ ...value }, removed, [...path, name])]]
  })
  return Object.fromEntries(kept)
}
