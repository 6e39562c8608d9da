HabraKeyboard().run()
