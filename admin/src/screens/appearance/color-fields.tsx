import { Alert, Fieldset, SimpleGrid } from '@mantine/core'
import { __, sprintf } from '../../i18n.ts'
import { isIncomplete } from '../../settings/color.ts'
import { ColorField } from '../../settings/color-field.tsx'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import type { Style } from './types.ts'
import type { Preview } from './use-preview.ts'

type Scheme = 'light' | 'dark'

const SCHEMES: Readonly<Record<Scheme, string>> = {
  light: __('Light mode', 'pentad'),
  dark: __('Dark mode', 'pentad'),
}

const ROLES = [
  { role: 'base', name: 'Base', label: __('Background', 'pentad') },
  { role: 'contrast', name: 'Contrast', label: __('Text', 'pentad') },
  { role: 'accent', name: 'Accent', label: __('Accent', 'pentad') },
] as const

/** A color as entered; empty for the one of the style. */
const colorOf = ({ values }: SettingsDraft, key: string) => String(values[key] ?? '')

const COLORS = (['light', 'dark'] as const).flatMap((scheme) =>
  ROLES.map(({ name, label }) => ({ key: `${scheme}${name}`, scheme: SCHEMES[scheme], label })),
)
export const COLOR_KEYS = COLORS.map(({ key }) => key)

/** The error message for the first incomplete color; `undefined` if all can be saved. */
export function colorError(draft: SettingsDraft): string | undefined {
  const wrong = COLORS.find(({ key }) => isIncomplete(colorOf(draft, key)))
  return wrong && sprintf(__('%1$s, %2$s: Enter a color such as #225588.', 'pentad'), wrong.scheme, wrong.label)
}

interface ColorFieldsProps {
  readonly draft: SettingsDraft
  readonly style: Style | undefined
  readonly scheme: Scheme
  /** The colors in effect, and contrasts that are too low; `undefined` while loading. */
  readonly preview: Preview | undefined
}

/** The colors of one scheme, with a warning if text is hard to read. An empty field shows the color in effect. */
export function ColorFields({ draft, style, scheme, preview }: ColorFieldsProps) {
  const low = (preview?.contrast ?? []).filter((one) => one.scheme === scheme)
  const inEffect = preview?.[scheme] ?? style?.[scheme]
  return (
    <Fieldset variant="unstyled" legend={SCHEMES[scheme]}>
      <SimpleGrid cols={{ base: 1, xs: 3 }} spacing="xs">
        {ROLES.map(({ role, name, label }) => {
          const key = `${scheme}${name}`
          return (
            <ColorField
              key={key}
              size="xs"
              // Its button would cover the end of the color.
              withEyeDropper={false}
              label={label}
              placeholder={inEffect?.[role]}
              value={colorOf(draft, key)}
              error={draft.fieldErrors[key]}
              hint={__('Enter a color such as #225588.', 'pentad')}
              onChange={(color) => draft.set({ [key]: color })}
            />
          )
        })}
      </SimpleGrid>
      <div aria-live="polite">
        {low.map(({ role, ratio }) => (
          <Alert key={role} color="yellow" mt="xs" p="xs">
            {sprintf(
              role === 'accent'
                ? __(
                    'Links are hard to read: their contrast ratio with the background is %s:1. Use at least 4.5:1.',
                    'pentad',
                  )
                : __(
                    'Text is hard to read: its contrast ratio with the background is %s:1. Use at least 4.5:1.',
                    'pentad',
                  ),
              ratio.toFixed(1),
            )}
          </Alert>
        ))}
      </div>
    </Fieldset>
  )
}
