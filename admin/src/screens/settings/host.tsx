import { Box, Checkbox, Group, Select } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import { __, sprintf } from '../../i18n.ts'
import { Page } from '../../parts/page.tsx'
import { THEMES, type ThemeInfo, themeTitle } from '../../parts/themes.ts'
import { described } from '../../settings/own-field.tsx'
import { SettingsForm } from '../../settings/settings-form.tsx'
import { type SettingsDraft, useSettings } from '../../settings/use-settings.ts'
import { useRoles } from '../users/roles.ts'

/** The theme, the content security policy, and CORS. */
export default function Host() {
  const draft = useSettings('host')
  return (
    <Page title={__('Theme and security', 'pentad')}>
      <Box maw={760}>
        <SettingsForm
          draft={draft}
          groups={[
            { title: __('Theme', 'pentad'), keys: ['theme'] },
            { title: __('Security', 'pentad'), keys: ['twoFactorRoles', 'contentSecurityPolicy', 'corsOrigins'] },
            { title: __('Trash', 'pentad'), keys: ['emptyTrashDays'] },
          ]}
          fields={{
            theme: (shown) => <ThemeField draft={shown} />,
            twoFactorRoles: (shown) => <TwoFactorRoles draft={shown} />,
          }}
        />
      </Box>
    </Page>
  )
}

function ThemeField({ draft }: { draft: SettingsDraft }) {
  const themes = useRead<{ readonly items: readonly ThemeInfo[] }>(THEMES)
  const chosen = String(draft.values.theme ?? 'default')
  const known = (themes.data?.items ?? []).map((theme) => ({ value: theme.name, label: labelOf(theme) }))
  return (
    <Select
      label={__('Theme', 'pentad')}
      description={__('To preview, upload, or remove themes, open Appearance.', 'pentad')}
      data={
        known.some(({ value }) => value === chosen) ? known : [{ value: chosen, label: themeTitle(chosen) }, ...known]
      }
      value={chosen}
      error={draft.fieldErrors.theme}
      allowDeselect={false}
      onChange={(theme) => draft.set({ theme })}
    />
  )
}

function TwoFactorRoles({ draft }: { draft: SettingsDraft }) {
  const roles = useRoles()
  const { twoFactorRoles: chosen } = draft.values
  return (
    <Checkbox.Group
      {...described(draft, 'twoFactorRoles')}
      value={Array.isArray(chosen) ? chosen.map(String) : []}
      onChange={(twoFactorRoles) => draft.set({ twoFactorRoles })}
    >
      <Group mt={6}>
        {roles.options.map((role) => (
          <Checkbox key={role.value} {...role} />
        ))}
      </Group>
    </Checkbox.Group>
  )
}

function labelOf({ name, from, isUntrusted }: ThemeInfo): string {
  if (isUntrusted) return sprintf(__('%s (from a backup not signed by this site)', 'pentad'), themeTitle(name))
  return from === 'site' ? sprintf(__('%s (custom)', 'pentad'), themeTitle(name)) : themeTitle(name)
}
