/** Directories and tags of Exif 2.32. */
const EXIF_DIRECTORY = 0x8769
const PRIVATE_TAGS: ReadonlySet<number> = new Set([
  0x8825, // GPS
  0x927c, // the maker's notes, in which cameras put places and serial numbers
  0xa431, // serial number of the camera
  0xa435, // serial number of the lens
])
const MOST_TAGS = 512
/** XMP namespaces for locations and devices, and texts that some servers would execute. */
const PRIVATE_XMP =
  /gps|location|city|province|country|latitude|longitude|serialnumber|thumbnail|hasextendedxmp|filepath/i
const CODE = /<\?(?!xpacket)|<%|<script/i
/** Photoshop resources without private data: IPTC, its checksum, resolution. Others may contain thumbnails, paths or arbitrary data. */
const PLAIN_RESOURCES: ReadonlySet<number> = new Set([0x0404, 0x0425, 0x03ed])
/** IPTC-IIM, record 2: location code and name, city, sublocation, province, country code and name. */
const PLACE_DATASETS: ReadonlySet<number> = new Set([26, 27, 90, 92, 95, 100, 101])

/**
 * Whether an Exif block contains a location, a serial number or a thumbnail, which may show a cropped part, or cannot be parsed.
 */
export function isPrivateExif(tiff: Buffer): boolean {
  if (CODE.test(tiff.toString('latin1'))) return true
  const order = tiff.toString('latin1', 0, 2)
  if (order !== 'II' && order !== 'MM') return true
  const short = (at: number) => (order === 'II' ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (order === 'II' ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  const isPrivate = (at: number, isMain: boolean): boolean => {
    const count = short(at)
    if (count > MOST_TAGS) return true
    for (let entry = at + 2; entry < at + 2 + count * 12; entry += 12) {
      const tag = short(entry)
      if (PRIVATE_TAGS.has(tag)) return true
      if (isMain && tag === EXIF_DIRECTORY && isPrivate(long(entry + 8), false)) return true
    }
    // The directory of the thumbnail.
    return isMain && long(at + 2 + count * 12) !== 0
  }
  try {
    return isPrivate(long(4), true)
  } catch (error) {
    if (error instanceof RangeError) return true
    throw error
  }
}

/** The same for an XMP packet. */
export function isPrivateXmp(packet: Buffer): boolean {
  const text = packet.toString('utf8')
  return PRIVATE_XMP.test(text) || CODE.test(text)
}

/** Whether Photoshop resources contain a location (IPTC), or resources that are not checked here. */
export function isPrivatePhotoshop(resources: Buffer): boolean {
  if (CODE.test(resources.toString('latin1'))) return true
  let at = 0
  while (at + 12 <= resources.length) {
    if (resources.toString('latin1', at, at + 4) !== '8BIM') return true
    const id = resources.readUInt16BE(at + 4)
    const nameEnd = at + 6 + even(1 + resources.readUInt8(at + 6))
    if (nameEnd + 4 > resources.length) return true
    const start = nameEnd + 4
    const end = start + resources.readUInt32BE(nameEnd)
    if (!PLAIN_RESOURCES.has(id) || end > resources.length) return true
    if (id === 0x0404 && hasPlace(resources.subarray(start, end))) return true
    at = start + even(end - start)
  }
  return at < resources.length
}

const even = (length: number) => length + (length % 2)

function hasPlace(iptc: Buffer): boolean {
  let at = 0
  while (at + 5 <= iptc.length) {
    // Longer datasets have another form, which cameras and programs do not write.
    if (iptc.readUInt8(at) !== 0x1c || iptc.readUInt16BE(at + 3) > 0x7fff) return true
    if (iptc.readUInt8(at + 1) === 2 && PLACE_DATASETS.has(iptc.readUInt8(at + 2))) return true
    at += 5 + iptc.readUInt16BE(at + 3)
  }
  return at > iptc.length || iptc.subarray(at).some((byte) => byte !== 0)
}
