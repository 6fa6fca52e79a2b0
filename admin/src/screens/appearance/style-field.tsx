import { Group, Radio, Select, SimpleGrid, Text } from '@mantine/core'
import { useEffect } from 'react'
import { __, sprintf } from '../../i18n.ts'
import type { SettingsDraft } from '../../settings/use-settings.ts'
import classes from './style-field.module.css'
import type { Choices, Style } from './types.ts'

interface ChoiceProps {
  readonly draft: SettingsDraft
  readonly choices: Choices
}

/** The chosen style of the theme, or its own. */
export function styleOf({ draft, choices }: ChoiceProps): Style | undefined {
  return choices.styles.find(({ slug }) => slug === draft.values.style) ?? choices.styles[0]
}

/** The styles of the theme, each with a preview of its fonts and of its light and dark colors. */
export function StyleField({ draft, choices }: ChoiceProps) {
  useFontFaces(choices.fontFaces)
  const fonts = new Map(choices.fonts.map((font) => [font.slug, font]))
  return (
    <Radio.Group
      label={__('Style', 'pentad')}
      value={styleOf({ draft, choices })?.slug ?? ''}
      onChange={(style) => draft.set({ style })}
    >
      <SimpleGrid cols={2} spacing="xs" mt={6}>
        {choices.styles.map(({ slug, title, light, dark, headingFont, textFont }) => (
          <Radio.Card key={slug} value={slug} radius="md" className={classes.card}>
            <div className={classes.sample} aria-hidden>
              {[light, dark].map(({ base, contrast, accent }, at) => (
                <div key={at === 0 ? 'light' : 'dark'} style={{ background: base, color: contrast }}>
                  <span className={classes.heading} style={{ fontFamily: fonts.get(headingFont)?.fontFamily }}>
                    Aa
                  </span>
                  <span style={{ color: accent, fontFamily: fonts.get(textFont)?.fontFamily }}>Aa</span>
                </div>
              ))}
            </div>
            <Group wrap="nowrap" gap="xs" p="xs" align="start">
              <Radio.Indicator />
              <div>
                <Text size="sm" fw={600} lh={1.3}>
                  {title}
                </Text>
                <Text size="xs" c="dimmed">
                  {fonts.get(headingFont)?.name}
                  {textFont !== headingFont && <>, {fonts.get(textFont)?.name}</>}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </SimpleGrid>
    </Radio.Group>
  )
}

/** Makes the fonts of the theme available while a field is shown; the browser loads those that are used. */
function useFontFaces(css: string): void {
  useEffect(() => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(css)
    document.adoptedStyleSheets.push(sheet)
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== sheet)
    }
  }, [css])
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
