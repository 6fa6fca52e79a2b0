import { ColorSwatch, Group, Radio, Select, Stack, Text } from '@mantine/core'
import { __, sprintf } from '../../i18n.ts'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import type { Choices, Style } from './types.ts'

interface ChoiceProps {
  readonly draft: SettingsDraft
  readonly choices: Choices
}

/** The chosen style of the theme, or its own. */
export function styleOf({ draft, choices }: ChoiceProps): Style | undefined {
  return choices.styles.find(({ slug }) => slug === draft.values.style) ?? choices.styles[0]
}

/** The styles of the theme with their colors and fonts. */
export function StyleField({ draft, choices }: ChoiceProps) {
  const fontNames = new Map(choices.fonts.map(({ slug, name }) => [slug, name]))
  return (
    <Radio.Group
      label={__('Style', 'pentad')}
      value={styleOf({ draft, choices })?.slug ?? ''}
      onChange={(style) => draft.set({ style })}
    >
      <Stack gap="xs" mt={6}>
        {choices.styles.map(({ slug, title, light, headingFont, textFont }) => (
          <Radio.Card key={slug} value={slug} p="xs" radius="md">
            <Group wrap="nowrap" gap="sm">
              <Radio.Indicator />
              <Group gap={4} wrap="nowrap" aria-hidden>
                {[light.base, light.contrast, light.accent].map(
                  (color) => color && <ColorSwatch key={color} color={color} size={18} />,
                )}
              </Group>
              <div>
                <Text size="sm" fw={600}>
                  {title}
                </Text>
                <Text size="xs" c="dimmed">
                  {fontNames.get(headingFont)}
                  {textFont !== headingFont && <>, {fontNames.get(textFont)}</>}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  )
}

interface FontFieldProps extends ChoiceProps {
  readonly name: 'headingFont' | 'textFont'
  readonly label: string
}

/** A font of the theme; by default, the one of the style. */
export function FontField({ draft, choices, name, label }: FontFieldProps) {
  const own = choices.fonts.find(({ slug }) => slug === styleOf({ draft, choices })?.[name])
  const fonts = choices.fonts.map((font) => ({ value: font.slug, label: font.name }))
  return (
    <Select
      label={label}
      data={[
        { value: '', label: own ? sprintf(__('Default (%s)', 'pentad'), own.name) : __('Default', 'pentad') },
        ...fonts,
      ]}
      value={String(draft.values[name] ?? '')}
      error={draft.fieldErrors[name]}
      allowDeselect={false}
      onChange={(font) => draft.set({ [name]: font ?? '' })}
    />
  )
}
