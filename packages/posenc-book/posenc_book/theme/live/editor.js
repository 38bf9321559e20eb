// An editor for one cell, in place of its code and in the page's colours.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { pythonLanguage } from "@codemirror/lang-python";
import {
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, keymap } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";

// Pygments' class names, for which the page has colours, light and dark.
const colours = tagHighlighter([
  { tag: tags.keyword, class: "k" },
  { tag: [tags.bool, tags.null], class: "kc" },
  { tag: tags.operatorKeyword, class: "ow" },
  { tag: tags.operator, class: "o" },
  { tag: tags.comment, class: "c1" },
  { tag: tags.number, class: "mi" },
  { tag: [tags.string, tags.special(tags.string)], class: "s2" },
  { tag: tags.escape, class: "se" },
  { tag: tags.function(tags.definition(tags.variableName)), class: "nf" },
  { tag: tags.definition(tags.className), class: "nc" },
  { tag: tags.meta, class: "nb" },
]);

const failed = Decoration.line({ class: "live-marked" });
const setMark = StateEffect.define();
const marked = StateField.define({
  create: () => Decoration.none,
  update: (marks, { effects, docChanged, state }) => {
    if (docChanged) return Decoration.none;
    for (const effect of effects) {
      if (effect.is(setMark)) {
        const line = effect.value;
        if (line < 1 || line > state.doc.lines) return Decoration.none;
        return Decoration.set(failed.range(state.doc.line(line).from));
      }
    }
    return marks;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export const open = ({ parent, source, name, change, run, leave }) => {
  const doing = (action) => () => {
    action();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: source,
      extensions: [
        keymap.of([
          { key: "Shift-Enter", run: doing(run) },
          { key: "Mod-Enter", run: doing(run) },
          { key: "Escape", run: doing(leave) },
          indentWithTab,
          ...historyKeymap,
          ...defaultKeymap,
        ]),
        history(),
        pythonLanguage,
        indentUnit.of("    "),
        indentOnInput(),
        bracketMatching(),
        syntaxHighlighting(colours),
        marked,
        EditorView.contentAttributes.of({
          "aria-label": name,
          spellcheck: "false",
          autocapitalize: "off",
        }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) change(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    // Focus, with the cursor where the click was, if there was one.
    focus: (click) => {
      const { clientX: x, clientY: y } = click ?? {};
      const at = x === undefined ? null : view.posAtCoords({ x, y });
      if (at !== null) view.dispatch({ selection: { anchor: at } });
      view.focus();
    },
    mark: (line) => view.dispatch({ effects: setMark.of(line ?? 0) }),
    close: () => view.destroy(),
  };
};
