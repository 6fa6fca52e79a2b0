import { useElementSize } from '@mantine/hooks'
import { __ } from '../i18n.ts'
import classes from './page-preview.module.css'

/** Width of a desktop, in px: what is narrower here is shown smaller, so that the page has the layout of a desktop. */
const DESKTOP = 1280

interface PagePreviewProps {
  /** As of `DeviceChoice`. */
  readonly device: string
  readonly src: string
  /** With the height of the preview. */
  readonly className: string | undefined
}

/** A page of the site in a frame with the width of a device. The sandbox gives scripts of the page no access to the admin. */
export function PagePreview({ device, src, className }: PagePreviewProps) {
  const { ref, width } = useElementSize()
  const scale = device === 'wide' && width > 0 ? Math.min(1, width / DESKTOP) : 1
  const isScaled = scale < 1
  return (
    <div ref={ref} className={`${classes.window} ${className ?? ''}`} data-device={device}>
      <iframe
        className={classes.page}
        style={isScaled ? { width: DESKTOP, height: `${100 / scale}%`, transform: `scale(${scale})` } : undefined}
        title={__('Preview', 'pentad')}
        src={src}
        sandbox="allow-scripts"
      />
    </div>
  )
}
