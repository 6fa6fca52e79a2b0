import { expect } from 'chai'
import { dimensionsOf, IMAGE_SIZES } from '../../../cms/content/media/dimensions.ts'

/** The first as a real WordPress answered it, the others by `wp_constrain_dimensions` and `image_resize_dimensions`. */
const EXPECTED: [image: [number, number], sizes: Record<string, [number, number]>][] = [
  [
    [1600, 900],
    {
      ...{ medium: [300, 169], large: [1024, 576], thumbnail: [150, 150], medium_large: [768, 432] },
      ...{ '1536x1536': [1536, 864] },
    },
  ],
  [
    [900, 1600],
    {
      medium: [169, 300],
      large: [576, 1024],
      thumbnail: [150, 150],
      medium_large: [768, 1365],
      '1536x1536': [864, 1536],
    },
  ],
  [[300, 300], { thumbnail: [150, 150] }],
  [[301, 200], { thumbnail: [150, 150] }],
  [[150, 150], {}],
  [[100, 400], { medium: [75, 300], thumbnail: [100, 150] }],
  [[465, 700], { medium: [199, 300], thumbnail: [150, 150] }],
  [
    [1, 5000],
    { medium: [1, 300], large: [1, 1024], thumbnail: [1, 150], '1536x1536': [1, 1536], '2048x2048': [1, 2048] },
  ],
]

describe('The sizes of an image', () => {
  for (const [[width, height], expected] of EXPECTED) {
    it(`of ${width} × ${height} are those of WordPress`, () => {
      const sizes: Record<string, [number, number]> = {}
      for (const [name, rule] of Object.entries(IMAGE_SIZES)) {
        const size = dimensionsOf({ width, height }, rule)
        if (size) sizes[name] = [size.width, size.height]
      }
      expect(sizes).to.deep.equal(expected)
    })
  }
})
