import { lookup } from 'mime-types'
import { isMedia, safeUploadPath } from '../media/upload-path.ts'
import { type FileUrl, parseFileUrl, plainHost } from './attachment-url.ts'

/** Maps URLs of the old site's media to files here. */
export interface MediaMap {
  isKnown(host: string): boolean
  /** Path below the uploads folder; `undefined` if it is not a media file of the old site. */
  find(url: FileUrl): string | undefined
  /** The URLs by which the export names the file of an attachment. */
  add(file: string, urls: readonly string[]): void
  /** Whether a path below the uploads folder is that of an attachment, or of a size of one. */
  isAttached(file: string): boolean
  /** Hosts of attachments that are not the site's own. */
  hosts(): string[]
  /** Treats another host as one of the old site. */
  addHost(host: string): void
}

/** Jetpack's image CDN, with the address of the image as its path. */
const PHOTON = /^i\d\.wp\.com$/
const UPLOADS = /^(?:.*\/)?wp-content\/(?:uploads|blogs\.dir\/\d+\/files)\/(?:sites\/\d+\/)?/
/** A WordPress network stores the files of each site in a separate folder; here there is one site. */
const NETWORK = /^sites\/\d+\//
const SIZE = /(-\d+x\d+)(\.[^./]+)$/

/**
 * Looks up a URL among attachments and their image sizes, then in the folders of attachments on any host, then in WordPress's default
 * folders on hosts of the old site. Media outside of the uploads folder are assigned a path in it.
 * @param siteUrls URLs of the old site
 */
export function createMediaMap(siteUrls: readonly string[]): MediaMap {
  const own = new Set<string>()
  const others = new Set<string>()
  const names = new Set<string>()
  /** Of attachments that have another name here, by host and path. */
  const files = new Map<string, string>()
  const folders = new Map<string, string>()
  /** By host: prefixes of the uploads folder, longest first. */
  const roots = new Map<string, string[]>()
  const bases = siteUrls.map((url) => parseFileUrl(`${url.replace(/\/+$/, '')}/`)).filter((base) => base !== undefined)

  function addRoot(host: string, root: string): void {
    const known = roots.get(host) ?? []
    if (!known.includes(root))
      roots.set(
        host,
        [...known, root].sort((a, b) => b.length - a.length),
      )
  }

  function addHost(host: string): void {
    own.add(plainHost(host))
  }

  function add(file: string, urls: readonly string[]): void {
    names.add(imageName(file))
    for (const { host, path } of urls.map(parseFileUrl).filter((url) => url !== undefined)) {
      if (!isMedia(nameOf(path))) continue
      others.add(host)
      // Its other names are those of its sizes and versions in the same folder.
      if (imageName(nameOf(path)) !== imageName(nameOf(file))) files.set(`${host}/${path}`, file)
      folders.set(`${host}/${folderOf(path)}`, folderOf(file))
      if (path === file || path.endsWith(`/${file}`)) addRoot(host, path.slice(0, path.length - file.length))
    }
  }

  for (const { host, path } of bases) {
    addHost(host)
    const [, name] = /^([\w-]+)\.wordpress\.com$/.exec(host) ?? []
    if (name !== undefined) {
      others.add(`${name}.files.wordpress.com`)
      addRoot(`${name}.files.wordpress.com`, '')
    }
    // Of networks before WordPress 3.5.
    addRoot(host, `${path}files/`)
  }

  function find({ host, path }: FileUrl): string | undefined {
    if (PHOTON.test(host)) {
      const [real = '', ...rest] = path.split('/')
      return PHOTON.test(real) ? undefined : find({ host: plainHost(real), path: rest.join('/') })
    }
    if (!own.has(host) && !others.has(host)) return undefined
    const file = ofAttachment(host, path) ?? inFolder(host, path) ?? (own.has(host) ? ofSite(path) : undefined)
    return file === undefined || !isMedia(nameOf(file)) ? undefined : safeUploadPath(file)
  }

  function ofAttachment(host: string, path: string): string | undefined {
    const file = files.get(`${host}/${path}`)
    if (file !== undefined) return file
    const [end = '', size = '', extension = ''] = SIZE.exec(path) ?? []
    const whole = end === '' ? undefined : files.get(`${host}/${path.slice(0, -end.length)}${extension}`)
    return whole === undefined ? undefined : imageName(whole) + size + extension
  }

  function inFolder(host: string, path: string): string | undefined {
    const folder = folders.get(`${host}/${folderOf(path)}`)
    if (folder !== undefined) return folder + nameOf(path)
    const root = roots.get(host)?.find((start) => path.startsWith(start))
    // The root is empty if the host serves only uploads.
    return root === undefined || (root === '' && UPLOADS.test(path))
      ? undefined
      : path.slice(root.length).replace(NETWORK, '')
  }

  function ofSite(path: string): string | undefined {
    if (UPLOADS.test(path)) return path.replace(UPLOADS, '')
    return /^(?:image|audio|video)\/|\/pdf$/.test(lookup(path) || '') ? path : undefined
  }

  return {
    ...{ find, add, addHost },
    hosts: () => [...others].filter((host) => !own.has(host)),
    isKnown: (host) => own.has(host) || others.has(host) || PHOTON.test(host),
    isAttached: (file) => names.has(imageName(file)),
  }
}

/** The name that an image has in common with its sizes and edited versions, without an extension. */
export function imageName(file: string): string {
  return file.replace(/(?:-(?:\d+x\d+|scaled|rotated|e\d{10,13}))*\.[^./]*$/, '')
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** With a slash at its end; empty for none. */
function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
