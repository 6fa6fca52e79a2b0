import { readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { markForeignCode } from 'pentad'
import { z } from 'zod'
import { namesIn, pathExists } from '../missing-files.ts'
import type { Category } from '../types.ts'
import { createUntrustedFiles } from './untrusted-files.ts'

/** The theme that lends others what they lack, and that is used where no other is. */
const DEFAULT_THEME = 'default'

/** What of a site's options decides which code runs. */
const codeSchema = z.object({
  host_extensions: z.unknown().optional(),
  host_settings: z.looseObject({ theme: z.string().optional() }).optional().catch(undefined),
})

type CodeRecords = z.output<typeof codeSchema>
type Records = Readonly<Record<string, unknown>>

/** An archive that this site did not sign, unpacked beside the site that it is to replace. */
export interface UntrustedArchive {
  readonly siteDir: string
  /** Folder with what takes the place of the site's files. */
  readonly files: string
  /** The further folder of extensions that the configuration names; it may lie inside of the site folder. */
  readonly extensionsDir: string | undefined
  readonly parts: readonly Category[]
}

/** Keeps the code of a foreign archive from running: its extensions, and its themes. */
export interface Quarantine {
  /** Whether the site's own file or folder stays, with all that is in it, though the archive may hold another one. */
  keeps(path: string): boolean
  /** To be called when everything is unpacked and carried over. */
  finish(): Promise<void>
  /** The archive's options, without what decides which code runs and without secrets that only their own site can open. */
  options(records: Records): Records
  /** What the owner has to know. `options` adds to it. */
  readonly warnings: readonly string[]
}

/**
 * Begins with the themes: one that would take the place of the theme in use, or of the default theme, gets another name.
 * In the end all extensions and all other themes are marked: none runs until somebody vouches for it.
 */
export async function quarantine({ siteDir, files, parts, extensionsDir }: UntrustedArchive): Promise<Quarantine> {
  const current = await readCodeRecords(siteDir)
  const inUse = current.host_settings?.theme
  const reserved = [...new Set([DEFAULT_THEME, inUse ?? DEFAULT_THEME])]
  const warnings: string[] = []
  const themes = parts.includes('themes') ? await renameThemes(join(files, 'themes'), reserved) : []
  warnings.push(...themes)
  const elsewhere = await createUntrustedFiles(siteDir, extensionsDir)
  const { code, sealed } = await elsewhere.remove(files)
  if (code.length > 0) warnings.push(`Code outside of the folder of extensions was not restored: ${code.join(', ')}.`)
  if (sealed.length > 0) {
    warnings.push(
      `These files were not restored, since only the site of the backup can read them: ${sealed.join(', ')}.`,
    )
  }
  const extensions = parts.includes('extensions') ? await extensionsIn(join(files, 'extensions')) : []
  if (extensions.length > 0) {
    warnings.push(`These extensions are switched off. Check their code, then activate them: ${extensions.join(', ')}.`)
  }
  return {
    warnings,
    keeps: (path) => elsewhere.keeps(path) || reserved.some((theme) => path === `themes/${theme}`),
    async finish() {
      const folders = { extensions: join(files, 'extensions'), themes: join(files, 'themes') }
      if (extensions.length > 0) await markForeignCode(folders.extensions)
      // The site's own, which were carried over.
      if (parts.includes('themes') && (await pathExists(folders.themes)))
        await markForeignCode(folders.themes, reserved)
    },
    options({ host_extensions: _, host_settings: settings, ...records }) {
      const { theme: formerTheme, ...others }: Records = z.looseObject({}).safeParse(settings).data ?? {}
      if (formerTheme !== undefined && formerTheme !== inUse) {
        warnings.push(`That site used the theme ${JSON.stringify(formerTheme)}. This site goes on with its own.`)
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

/** As the options are on the disk now; none where they are missing or broken. */
async function readCodeRecords(siteDir: string): Promise<CodeRecords> {
  try {
    return codeSchema.parse(JSON.parse(await readFile(join(siteDir, 'options.json'), 'utf8')))
  } catch {
    return {}
  }
}

/** @returns a warning for each theme that has another name now */
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
      `The theme ${JSON.stringify(name)} of the backup is now called ${JSON.stringify(next)}, and is not in use.`,
    )
  }
  return warnings
}

async function extensionsIn(folder: string): Promise<string[]> {
  if (!(await pathExists(folder))) return []
  return (await namesIn(folder)).filter((name) => !/^[._]|^node_modules$/.test(name)).sort()
}

/** Without values of the form `{ "$sealed": "…" }`, which were encrypted with the key of the other site. */
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
