/** Maximum dimensions of an image size; 0 means proportional. */
export interface SizeRule {
  readonly width: number
  readonly height: number
  /** Whether to crop the center to exactly these dimensions. */
  readonly crop: boolean
}

/** WordPress's sizes, in its order. */
export const IMAGE_SIZES: Readonly<Record<string, SizeRule>> = {
  medium: { width: 300, height: 300, crop: false },
  large: { width: 1024, height: 1024, crop: false },
  thumbnail: { width: 150, height: 150, crop: true },
  medium_large: { width: 768, height: 0, crop: false },
  '1536x1536': { width: 1536, height: 1536, crop: false },
  '2048x2048': { width: 2048, height: 2048, crop: false },
}

export interface Dimensions {
  readonly width: number
  readonly height: number
}

/** The dimensions of an image in a size, or `null` if it is not larger than that (WordPress's `image_resize_dimensions`). */
export function dimensionsOf(image: Dimensions, rule: SizeRule): Dimensions | null {
  const target = rule.crop ? cropped(image, rule) : constrained(image, rule)
  // A difference of one pixel does not count.
  const isSmaller = target.width < image.width - 1 || target.height < image.height - 1
  return isSmaller ? target : null
}

function cropped(image: Dimensions, rule: SizeRule): Dimensions {
  const ratio = image.width / image.height
  const width = rule.width > 0 ? Math.min(rule.width, image.width) : Math.round(rule.height * ratio)
  const height = rule.height > 0 ? Math.min(rule.height, image.height) : Math.round(rule.width / ratio)
  return { width: Math.max(1, width), height: Math.max(1, height) }
}

/** Scales dimensions down to fit into a box; WordPress's `wp_constrain_dimensions`. */
export function constrained({ width, height }: Dimensions, box: Dimensions): Dimensions {
  const widthRatio = box.width > 0 && width > box.width ? box.width / width : 1
  const heightRatio = box.height > 0 && height > box.height ? box.height / height : 1
  const ratio = Math.min(widthRatio, heightRatio)
  const side = (length: number, limit: number, isLimited: boolean) => {
    const scaled = Math.max(1, Math.round(length * ratio))
    // Rounding can make it one pixel smaller than the box.
    return isLimited && scaled === limit - 1 ? limit : scaled
  }
  return { width: side(width, box.width, widthRatio < 1), height: side(height, box.height, heightRatio < 1) }
}
