import { Stack, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { pageData } from 'pentad/admin/page-data.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useImage } from 'pentad/admin/screens/media/image-field.tsx'
import { largeOf } from 'pentad/admin/screens/media/media-item.ts'
import classes from './app-preview.module.css'

type Values = Readonly<Record<string, unknown>>

/** Length of an app name that fits below an icon on every device. */
const SHORT = 12
const HEX = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/i

/** Previews icon and splash screen with unsaved changes. */
export function AppPreview({ values }: { values: Values }) {
  const iconId = Number(values.appIcon ?? 0)
  const { data } = useImage(iconId)
  const icon = iconId > 0 && data ? largeOf(data) : undefined
  const name = text(values.appName) || pageData.site.title || new URL(pageData.site.url).hostname
  const shortName = text(values.shortName) || name.slice(0, SHORT)
  const background = color(values.backgroundColor, '#ffffff')
  const theme = color(values.themeColor, '#000000')
  return (
    <Section title={__('Preview', 'pentad')} description={__('Includes your unsaved changes.', 'pentad')}>
      <div className={classes.phones}>
        <figure className={classes.phone} aria-label={__('Icon on the home screen', 'pentad')}>
          <div className={classes.screen}>
            <div className={classes.home}>
              {SLOTS.map((slot) => (
                <span key={slot} className={classes.slot} />
              ))}
              <div className={classes.app}>
                <div className={classes.shape} style={{ background }}>
                  <Icon src={icon} size="66%" name={name} background={background} />
                </div>
                <span className={classes.label}>{shortName}</span>
              </div>
            </div>
          </div>
          <Text size="xs" c="dimmed" ta="center" mt={4}>
            {__('Home screen', 'pentad')}
          </Text>
        </figure>
        <figure className={classes.phone} aria-label={__('Splash screen', 'pentad')}>
          <div className={classes.screen} style={{ background }}>
            <div className={classes.status} style={{ background: theme, color: readableOn(theme) }}>
              12:00
            </div>
            <div className={classes.splash} style={{ color: readableOn(background) }}>
              <Icon src={icon} size="84px" name={name} background={background} />
              <strong>{name}</strong>
            </div>
          </div>
          <Text size="xs" c="dimmed" ta="center" mt={4}>
            {__('Splash screen', 'pentad')}
          </Text>
        </figure>
      </div>
      {icon && (
        <Stack gap={4}>
          <div className={classes.masks}>
            {MASKS.map((radius) => (
              <div key={radius} className={classes.safe} style={{ background, borderRadius: radius }}>
                <Icon src={icon} size="57%" name={name} background={background} />
              </div>
            ))}
          </div>
          <Text size="xs" c="dimmed" ta="center">
            {__(
              'Android crops the icon to its own shape. The area inside the dashed circle is always visible.',
              'pentad',
            )}
          </Text>
        </Stack>
      )}
    </Section>
  )
}

const SLOTS = ['a', 'b', 'c', 'd', 'e', 'f', 'g'] as const
/** Circle, squircle, square. */
const MASKS = ['50%', '32%', '8%'] as const

function Icon({ src, size, name, background }: { src?: string; size: string; name: string; background: string }) {
  if (src) return <img src={src} alt="" style={{ width: size, height: size }} />
  return (
    <strong aria-hidden style={{ fontSize: 28, color: readableOn(background) }}>
      {[...name][0]}
    </strong>
  )
}

const text = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')
const color = (value: unknown, usual: string): string => (HEX.test(String(value)) ? String(value) : usual)

/** Black or white, whichever has more contrast. */
function readableOn(hex: string): string {
  const long = hex.length === 4 ? hex.replace(/[0-9a-f]/gi, '$&$&') : hex
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    linear(Number.parseInt(long.slice(at, at + 2), 16) / 255),
  )
  // The luminance with equal contrast to black and to white (WCAG 2.2, relative luminance).
  return red * 0.2126 + green * 0.7152 + blue * 0.0722 > 0.179 ? '#000' : '#fff'
}

const linear = (channel: number) => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4)
