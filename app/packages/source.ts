import { resolve } from 'node:path'
import { invalidPackage } from './errors.ts'

/** Where a package comes from. */
export type PackageSource =
  /** `range` is a version, a semver range, or a tag such as `latest`. */
  | { readonly type: 'registry'; readonly name: string; readonly range: string }
  /** `integrity` is the expected checksum, `sha512-…`. */
  | { readonly type: 'url'; readonly url: string; readonly integrity?: string }
  /** An archive or a folder of this machine. */
  | { readonly type: 'path'; readonly path: string }

/** https://docs.npmjs.com/cli/configuring-npm/package-json#name */
const REGISTRY = /^((?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*)(?:@(.+))?$/
const PATH = /^(?:\.{0,2}\/|~\/|[a-z]:[\\/])|\.(?:tgz|tar|tar\.gz|zip)$|^\.{1,2}$/i
const MAX_NAME_LENGTH = 214

/**
 * Reads what a user entered: `my-extension`, `@scope/my-extension@^2`, `https://example.org/my-extension.tgz`, `./my-extension.zip`.
 *
 * @param allowsPaths - Whether paths of this machine are allowed, as they are for commands.
 * @throws RestError `package_invalid`
 */
export function parseSource(text: string, allowsPaths: boolean): PackageSource {
  if (/^https:\/\//i.test(text)) {
    const { href, hash } = new URL(text)
    const integrity = decodeURIComponent(hash.slice(1))
    const url = href.slice(0, href.length - hash.length)
    return { type: 'url', url, ...(integrity.startsWith('sha512-') && { integrity }) }
  }
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(text)) throw invalidPackage('The URL of a package must start with https://.')
  if (PATH.test(text)) {
    if (!allowsPaths) throw invalidPackage('Upload the file to install it.')
    return { type: 'path', path: resolve(text) }
  }
  const [, name, range = 'latest'] = REGISTRY.exec(text) ?? []
  if (name === undefined || name.length > MAX_NAME_LENGTH) {
    throw invalidPackage(`"${text}" is not a package name, such as my-extension or @example/my-extension@^2.0.0.`)
  }
  return { type: 'registry', name, range }
}
