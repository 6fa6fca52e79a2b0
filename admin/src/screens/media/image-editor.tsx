import { Box, Button, Group, Modal, NumberInput, Stack, Text } from '@mantine/core'
import { IconRotate2, IconRotateClockwise2 } from '@tabler/icons-react'
import { type PointerEvent, useEffect, useRef, useState } from 'react'
import { useChange, useRead } from '../../api/query.ts'
import { change } from '../../api/rest.ts'
import { __ } from '../../i18n.ts'
import { Loaded } from '../../parts/loaded.tsx'
import classes from './image-editor.module.css'
import { largeOf, MEDIA, type MediaItem } from './media-item.ts'

/** Part of the rotated image, in percent of its width and height. */
interface Crop {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const WHOLE: Crop = { left: 0, top: 0, width: 100, height: 100 }
/** Longest side of the picture in the dialog, in pixels. */
const SHOWN = 640

/** Image types that the server edits. */
export const canBeEdited = ({ mime_type: type }: MediaItem): boolean =>
  ['image/jpeg', 'image/png', 'image/webp', 'image/avif'].includes(type)

interface ImageEditorProps {
  /** The attachment; `undefined` if the dialog is closed. */
  readonly id: number | undefined
  readonly onClose: () => void
  /** Called with the edited copy; the original is unchanged. */
  readonly onEdited: (item: MediaItem) => void
}

/** Crops and rotates an image of the media library, with the mouse or by numbers. */
export function ImageEditor({ id, onClose, onEdited }: ImageEditorProps) {
  const item = useRead<MediaItem>(`${MEDIA}/${id ?? 0}`, { context: 'edit' }, { enabled: id !== undefined })
  return (
    <Modal opened={id !== undefined} onClose={onClose} size="xl" title={__('Edit image', 'pentad')}>
      {id !== undefined && (
        <Loaded query={item}>
          {(found) => (
            <Edits
              item={found}
              onEdited={(edited) => {
                onClose()
                onEdited(edited)
              }}
            />
          )}
        </Loaded>
      )}
    </Modal>
  )
}

function Edits({ item, onEdited }: { item: MediaItem; onEdited: (item: MediaItem) => void }) {
  const [angle, setAngle] = useState(0)
  const [crop, setCrop] = useState(WHOLE)
  const turn = (by: number) => {
    setAngle((angle + by + 360) % 360)
    setCrop(WHOLE)
  }
  const modifiers = [
    ...(angle === 0 ? [] : [{ type: 'rotate', args: { angle } }]),
    ...(crop === WHOLE ? [] : [{ type: 'crop', args: crop }]),
  ]
  const save = useChange(
    () => change<MediaItem>('POST', `${MEDIA}/${item.id}/edit`, { src: item.source_url, modifiers }),
    { invalidates: [MEDIA], done: __('Edited copy saved. The original is unchanged.', 'pentad') },
  )
  return (
    <Stack>
      <Group gap="xs">
        <Button variant="default" leftSection={<IconRotate2 size={16} aria-hidden />} onClick={() => turn(-90)}>
          {__('Rotate left', 'pentad')}
        </Button>
        <Button variant="default" leftSection={<IconRotateClockwise2 size={16} aria-hidden />} onClick={() => turn(90)}>
          {__('Rotate right', 'pentad')}
        </Button>
      </Group>
      <Picture src={largeOf(item)} angle={angle} crop={crop} onCrop={setCrop} />
      <Text size="sm" c="dimmed">
        {__('Drag over the image to select the part to keep, or enter its position and size as percentages.', 'pentad')}
      </Text>
      <CropFields crop={crop} onCrop={setCrop} />
      <Group justify="flex-end">
        <Button
          variant="subtle"
          disabled={modifiers.length === 0}
          onClick={() => {
            setAngle(0)
            setCrop(WHOLE)
          }}
        >
          {__('Reset', 'pentad')}
        </Button>
        <Button
          disabled={modifiers.length === 0}
          loading={save.isPending}
          onClick={() => save.mutate(undefined, { onSuccess: onEdited })}
        >
          {__('Save as copy', 'pentad')}
        </Button>
      </Group>
    </Stack>
  )
}

interface CropProps {
  readonly crop: Crop
  readonly onCrop: (crop: Crop) => void
}

function CropFields({ crop, onCrop }: CropProps) {
  const fields: readonly (readonly [keyof Crop, string, number])[] = [
    ['left', __('Left (%)', 'pentad'), 99],
    ['top', __('Top (%)', 'pentad'), 99],
    ['width', __('Width (%)', 'pentad'), 100 - crop.left],
    ['height', __('Height (%)', 'pentad'), 100 - crop.top],
  ]
  return (
    <Group gap="xs">
      {fields.map(([name, label, max]) => (
        <NumberInput
          key={name}
          w={110}
          size="xs"
          label={label}
          min={name === 'left' || name === 'top' ? 0 : 1}
          max={max}
          clampBehavior="strict"
          decimalScale={1}
          value={crop[name]}
          onChange={(value) => typeof value === 'number' && onCrop(within({ ...crop, [name]: value }))}
        />
      ))}
    </Group>
  )
}

/** The part ends at the edges of the image. */
function within({ left, top, width, height }: Crop): Crop {
  return { left, top, width: Math.min(width, 100 - left), height: Math.min(height, 100 - top) }
}

interface PictureProps extends CropProps {
  readonly src: string
  readonly angle: number
}

function Picture({ src, angle, crop, onCrop }: PictureProps) {
  const canvas = useRef<HTMLCanvasElement>(null)
  const start = useRef<readonly [x: number, y: number]>(undefined)
  useEffect(() => {
    const image = new Image()
    image.onload = () => canvas.current && draw(canvas.current, image, angle)
    image.src = src
  }, [src, angle])
  const percentOf = ({ currentTarget, clientX, clientY }: PointerEvent): readonly [x: number, y: number] => {
    const { left, top, width, height } = currentTarget.getBoundingClientRect()
    const limit = (value: number) => Math.round(Math.min(100, Math.max(0, value)) * 10) / 10
    return [limit(((clientX - left) / width) * 100), limit(((clientY - top) / height) * 100)]
  }
  const drag = (event: PointerEvent) => {
    if (!start.current) return
    const [[x, y], [endX, endY]] = [start.current, percentOf(event)]
    const [width, height] = [Math.abs(endX - x), Math.abs(endY - y)]
    if (width >= 1 && height >= 1) onCrop({ left: Math.min(x, endX), top: Math.min(y, endY), width, height })
  }
  return (
    <Box
      className={classes.picture}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        start.current = percentOf(event)
      }}
      onPointerMove={drag}
      onPointerUp={() => {
        start.current = undefined
      }}
    >
      <canvas ref={canvas} className={classes.canvas} />
      <Box
        className={classes.crop}
        style={{ left: `${crop.left}%`, top: `${crop.top}%`, width: `${crop.width}%`, height: `${crop.height}%` }}
      />
    </Box>
  )
}

/** @param angle a multiple of 90, clockwise */
function draw(canvas: HTMLCanvasElement, image: HTMLImageElement, angle: number): void {
  const { naturalWidth, naturalHeight } = image
  const scale = Math.min(1, SHOWN / Math.max(naturalWidth, naturalHeight))
  const [width, height] = [naturalWidth * scale, naturalHeight * scale]
  canvas.width = angle % 180 === 0 ? width : height
  canvas.height = angle % 180 === 0 ? height : width
  const context = canvas.getContext('2d')
  context?.translate(canvas.width / 2, canvas.height / 2)
  context?.rotate((angle * Math.PI) / 180)
  context?.drawImage(image, -width / 2, -height / 2, width, height)
}
