/** Screen of an Apple device in portrait orientation. */
export interface AppleScreen {
  /** Device pixels. */
  readonly width: number
  readonly height: number
  /** Device pixel ratio. */
  readonly ratio: 2 | 3
  readonly kind: 'phone' | 'tablet'
}

const tablet = (width: number, height: number): AppleScreen => ({ width, height, ratio: 2, kind: 'tablet' })
const phone = (width: number, height: number, ratio: 2 | 3 = 3): AppleScreen => ({
  width,
  height,
  ratio,
  kind: 'phone',
})

/**
 * Screen sizes of all devices that support web apps. iOS shows a splash screen only if its size matches exactly.
 * @see https://developer.apple.com/design/human-interface-guidelines/layout#iOS-iPadOS-device-screen-dimensions
 */
export const APPLE_SCREENS: readonly AppleScreen[] = [
  tablet(2048, 2732),
  tablet(1668, 2388),
  tablet(1668, 2224),
  tablet(1640, 2360),
  tablet(1620, 2160),
  tablet(1536, 2048),
  tablet(1488, 2266),
  phone(1320, 2868),
  phone(1206, 2622),
  phone(1260, 2736),
  phone(1290, 2796),
  phone(1179, 2556),
  phone(1170, 2532),
  phone(1284, 2778),
  phone(1125, 2436),
  phone(1242, 2688),
  phone(828, 1792, 2),
  phone(1242, 2208),
  phone(750, 1334, 2),
  phone(640, 1136, 2),
]
