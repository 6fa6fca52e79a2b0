import type { AppIcon } from './app-icon.ts'

/**
 * The icon in the middle of a plain, opaque area, as PNG. Made by adding margins, which costs a fifth of laying one
 * image over the other.
 * @param shown pixels of a side of the icon
 * @param area no smaller than that
 */
export function onBackground(
  icon: AppIcon,
  shown: number,
  { width, height }: { readonly width: number; readonly height: number },
  background: string,
): Promise<Buffer> {
  const left = Math.floor((width - shown) / 2)
  const top = Math.floor((height - shown) / 2)
  return (
    icon
      .scaled(shown)
      .flatten({ background })
      .extend({ top, bottom: height - shown - top, left, right: width - shown - left, background })
      // A filter for each row makes photographs a fifth as large; more effort gains little.
      .png({ compressionLevel: 6, adaptiveFiltering: true })
      .toBuffer()
  )
}
