import { Select, TextInput } from '@mantine/core'
import { __ } from '../../i18n.ts'
import { pageData } from '../../page-data.ts'
import { LanguageSelect } from '../../parts/language-select.tsx'
import { Section } from '../../parts/section.tsx'
import { TimeZoneSelect } from '../../parts/time-zone-select.tsx'
import { ImageField } from '../media/image-field.tsx'
import { FormatField } from './format-field.tsx'
import { SiteForm } from './site-form.tsx'

const DATES = ['F j, Y', 'j F Y', 'j. F Y', 'Y-m-d', 'm/d/Y', 'd/m/Y', 'd.m.Y']
const TIMES = ['g:i a', 'g:i A', 'H:i']

const days = new Intl.DateTimeFormat(pageData.locale.language, { weekday: 'long', timeZone: 'UTC' })
/** 4 January 1970 was a Sunday, day 0 in WordPress. */
const WEEK = Array.from({ length: 7 }, (_, day) => ({
  value: String(day),
  label: days.format(new Date(Date.UTC(1970, 0, 4 + day))),
}))

/** The format of the site comes first. */
const withStored = (stored: string, formats: readonly string[]) => [...new Set([stored, ...formats])]

/** The site's identity, language, and time zone. */
export default function General() {
  return (
    <SiteForm title={__('General settings', 'pentad')}>
      {({ values, stored, set, fieldErrors }) => {
        const line = (key: 'title' | 'description' | 'email') => ({
          value: values[key],
          error: fieldErrors[key],
          onChange: ({ currentTarget }: { currentTarget: { value: string } }) => set({ [key]: currentTarget.value }),
        })
        return (
          <>
            <Section title={__('Site', 'pentad')}>
              <TextInput label={__('Site title', 'pentad')} maxLength={1000} {...line('title')} />
              <TextInput
                label={__('Tagline', 'pentad')}
                description={__('In a few words, explain what this site is about.', 'pentad')}
                maxLength={1000}
                {...line('description')}
              />
              <TextInput
                label={__('Site address (URL)', 'pentad')}
                description={__('Set in the server configuration (PENTAD_URL).', 'pentad')}
                value={values.url}
                readOnly
                variant="filled"
              />
              <TextInput
                label={__('Administration email address', 'pentad')}
                description={__('Used for site notifications.', 'pentad')}
                type="email"
                {...line('email')}
              />
              <ImageField
                label={__('Site icon', 'pentad')}
                description={__(
                  'Shown in browser tabs and bookmarks. Should be square and at least 512 × 512 pixels.',
                  'pentad',
                )}
                value={values.site_icon}
                onChange={(id) => set({ site_icon: id })}
              />
              <ImageField
                label={__('Logo', 'pentad')}
                description={__('Used by themes and in structured data for search engines.', 'pentad')}
                value={values.site_logo ?? 0}
                onChange={(id) => set({ site_logo: id === 0 ? null : id })}
              />
            </Section>
            <Section title={__('Language, date, and time', 'pentad')}>
              <LanguageSelect
                label={__('Site language', 'pentad')}
                value={values.language}
                error={fieldErrors.language}
                description={__('Date and time formats follow the language, unless you have chosen others.', 'pentad')}
                onChange={(language) => set({ language })}
              />
              <TimeZoneSelect
                value={values.timezone}
                error={fieldErrors.timezone}
                onChange={(timezone) => set({ timezone })}
              />
              <FormatField
                label={__('Date format', 'pentad')}
                letters={__('PHP date format characters: j day, F month, Y year', 'pentad')}
                formats={withStored(stored.date_format, DATES)}
                value={values.date_format}
                error={fieldErrors.date_format}
                onChange={(format) => set({ date_format: format })}
              />
              <FormatField
                label={__('Time format', 'pentad')}
                letters={__('PHP date format characters: g hour, i minutes, a am or pm', 'pentad')}
                formats={withStored(stored.time_format, TIMES)}
                value={values.time_format}
                error={fieldErrors.time_format}
                onChange={(format) => set({ time_format: format })}
              />
              <Select
                label={__('Week starts on', 'pentad')}
                data={WEEK}
                value={String(values.start_of_week)}
                allowDeselect={false}
                onChange={(day) => set({ start_of_week: Number(day) })}
              />
            </Section>
          </>
        )
      }}
    </SiteForm>
  )
}
