import { Box, Center, Image } from '@mantine/core'
import { IconFile, IconFileMusic, IconFileTypePdf, IconMovie } from '@tabler/icons-react'
import { type MediaItem, thumbnailOf } from './media-item.ts'

const ICONS = [
  ['video/', IconMovie],
  ['audio/', IconFileMusic],
  ['application/pdf', IconFileTypePdf],
] as const

/** A thumbnail or an icon for the file type; the file name is next to it. */
export function Thumbnail({ item, size }: { item: MediaItem; size?: number }) {
  if (item.media_type === 'image') {
    return (
      <Image
        src={thumbnailOf(item)}
        alt=""
        w={size ?? '100%'}
        h={size ?? '100%'}
        // Drawings such as logos are not cropped.
        fit={item.mime_type === 'image/svg+xml' ? 'contain' : 'cover'}
        radius="sm"
        loading="lazy"
      />
    )
  }
  const Icon = ICONS.find(([start]) => item.mime_type.startsWith(start))?.[1] ?? IconFile
  return (
    <Box w={size ?? '100%'} h={size ?? '100%'} bg="var(--mantine-color-default-hover)">
      <Center h="100%">
        <Icon size={size ? size / 2 : 40} aria-hidden />
      </Center>
    </Box>
  )
}
