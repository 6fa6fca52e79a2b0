import { buffer } from 'node:stream/consumers'
import { ZipArchive } from 'archiver'

/** The bytes of an archive to which everything was added. */
export async function bytesOf(archive: ZipArchive): Promise<Buffer> {
  const [content] = await Promise.all([buffer(archive), archive.finalize()])
  return content
}

/** A ZIP archive of these files. */
export function zipOf(files: Readonly<Record<string, string>>): Promise<Buffer> {
  const archive = new ZipArchive()
  for (const [name, text] of Object.entries(files)) archive.append(text, { name })
  return bytesOf(archive)
}
