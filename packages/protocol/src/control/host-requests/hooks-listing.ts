import { settingsError } from "../../catalog/catalog.ts";
import { array } from "../../schema/collection.ts";
import { defaulted, object, optional } from "../../schema/object.ts";
import { boolean, jsonObject, literal, number, string } from "../../schema/scalar.ts";
import { about } from "../../schema/schema.ts";

const catalogRow = {
  name: string,
  summary: defaulted(string, ""),
  supportsMatcher: defaulted(boolean, false),
};

const hookRow = object({
  event: string,
  matcher: defaulted(string, ""),
  source: defaulted(string, ""),
  sourceLabel: defaulted(string, ""),
  pluginName: optional(string),
  type: defaulted(string, "command"),
  displayText: defaulted(string, ""),
  commandText: defaulted(string, ""),
  contentLabel: defaulted(string, ""),
  condition: optional(string),
  timeout: optional(number, "seconds"),
  statusMessage: optional(string),
  runsOnce: optional(boolean),
  runsInBackground: optional(boolean),
  disabled: optional(boolean),
  editable: optional(
    object({
      matcher: defaulted(string, ""),
      config: defaulted(jsonObject, {}),
      headersRedacted: optional(boolean),
    }),
  ),
});

const nothingLocked = {
  disabledByPolicy: false,
  managedOnly: false,
  pluginOnly: false,
  allDisabled: false,
  policyHookCount: 0,
};

/** The request for a screen that lists hooks. */
export const hooksListingRequests = {
  get_hooks_listing: {
    request: about(
      "X",
      "Asks for the hooks of settings files and plugins, formatted for display.",
      object({ subtype: literal("get_hooks_listing") }),
    ),
    response: object({
      events: defaulted(array(object({ ...catalogRow, hookCount: defaulted(number, 0) })), []),
      hooks: defaulted(array(hookRow), []),
      eventCatalog: defaulted(array(object(catalogRow)), []),
      policy: defaulted(
        object({
          disabledByPolicy: defaulted(boolean, false),
          managedOnly: defaulted(boolean, false),
          pluginOnly: defaulted(boolean, false),
          allDisabled: defaulted(boolean, false),
          policyHookCount: defaulted(number, 0),
          policyUnreadable: optional(boolean),
        }),
        nothingLocked,
      ),
      safeMode: optional(
        object({ managedHooksStillApply: defaulted(boolean, false), exitHint: defaulted(string, "") }),
      ),
      bareMode: optional(object({ exitHint: defaulted(string, "") })),
      errors: optional(array(settingsError)),
    }),
  },
};
